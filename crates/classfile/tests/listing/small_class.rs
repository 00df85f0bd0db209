//! A class that has a little of everything, and some parts that are broken.

use crate::assemble::{Parts, Pool, class_file, list, numbers};

/// The class, always the same bytes.
pub(crate) fn bytes() -> Vec<u8> {
    let mut pool = Pool::default();
    let this_class = pool.class("p/Small");
    let super_class = pool.class("java/lang/Object");
    let runnable = pool.class("java/lang/Runnable");
    let fields = fields(&mut pool);
    let methods = vec![
        pool.declare(0x0100, "<init>", "()V", &[]),
        whole_method(&mut pool, this_class, runnable),
        broken_method(&mut pool),
        annotated_method(&mut pool),
    ];
    let attributes = class_attributes(&mut pool, this_class);
    let parts = Parts {
        access: 0x0421,
        this_class,
        super_class,
        interfaces: vec![runnable],
        fields,
        methods,
        attributes,
    };
    class_file(&pool, &parts)
}

fn fields(pool: &mut Pool) -> Vec<Vec<u8>> {
    let values = [
        ("I", 3, &(-7_i32).to_be_bytes()[..]),
        ("F", 4, &1.5_f32.to_be_bytes()[..]),
        ("J", 5, &5_i64.to_be_bytes()[..]),
        ("D", 6, &1e300_f64.to_be_bytes()[..]),
    ];
    let mut fields = Vec::new();
    for (descriptor, tag, value) in values {
        let value = pool.add(tag, &[value]);
        let attribute = pool.attribute("ConstantValue", &numbers(&[value]));
        fields.push(pool.declare(0x0018, &format!("value{descriptor}"), descriptor, &[attribute]));
    }
    let nowhere = pool.attribute("ConstantValue", &numbers(&[9999]));
    let too_long = pool.attribute("Signature", &[0, 1, 2]);
    fields.push(pool.declare(0x00C0, "odd name", "[[Lp/Q;", &[nowhere, too_long]));
    fields
}

/// A body with all forms of operands; it would not pass a verifier.
fn whole_method(pool: &mut Pool, this_class: u16, runnable: u16) -> Vec<u8> {
    let text = pool.raw_utf8(b"a \"b\" 'c' \\ \t\n\xC0\x80 \xED\xA0\x80.");
    let string = pool.add(8, &[&text.to_be_bytes()]) as u8;
    let [own_high, own_low] = pool.member(10, this_class, "choose", "(I)I").to_be_bytes();
    let [run_high, run_low] = pool.member(11, runnable, "run", "()V").to_be_bytes();
    let site_type = pool.name_and_type("site", "()V");
    let [site_high, site_low] = pool.pair(18, 0, site_type).to_be_bytes();
    let dynamic = pool.pair(17, 0, site_type) as u8;
    let [grid_high, grid_low] = pool.class("[[I").to_be_bytes();
    let other = pool.class("p/a-b");
    let [field_high, field_low] = pool.member(9, other, "f", "D").to_be_bytes();
    let code: Vec<u8> = [
        &[0x1B][..],                                                                  // 0: iload_1
        &[0xAA, 0, 0, 0, 0, 0, 29, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 23, 0, 0, 0, 29], // 1: tableswitch
        &[0xC4, 0x84, 0, 1, 0x03, 0xE8],                                              // 24: wide iinc 1, 1000
        &[0x1B],                                                                      // 30: iload_1
        &[0xAB, 0, 0, 0, 27, 0, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFB, 0, 0, 0, 25],        // 31: lookupswitch
        &[0, 0, 0, 9, 0xFF, 0xFF, 0xFF, 0xE1],                                        // its second pair
        &[0x12, string],                                                              // 56: ldc
        &[0x12, dynamic],                                                             // 58: ldc
        &[0xB6, own_high, own_low],                                                   // 60: invokevirtual
        &[0xB9, run_high, run_low, 1, 0],                                             // 63: invokeinterface
        &[0xBA, site_high, site_low, 0, 0],                                           // 68: invokedynamic
        &[0xBC, 10],                                                                  // 73: newarray int
        &[0xC5, grid_high, grid_low, 2],                                              // 75: multianewarray
        &[0xB2, field_high, field_low],                                               // 79: getstatic
        &[0xC8, 0xFF, 0xFF, 0xFF, 0xAE],                                              // 82: goto_w 0
        &[0x10, 0xFD],                                                                // 87: bipush -3
        &[0x11, 0x01, 0x2C],                                                          // 89: sipush 300
        &[0x15, 2],                                                                   // 92: iload 2
        &[0x13, 0xFF, 0xFF],                                                          // 94: ldc_w of nothing
        &[0xAC],                                                                      // 97: ireturn
    ]
    .concat();
    let caught = pool.class("java/lang/Exception");
    let tables = body_tables(pool, this_class);
    let body = pool.code(&code, &[[0, 30, 97, caught], [0, 87, 97, 0]], &tables);
    let code = pool.attribute("Code", &body);
    let thrown = pool.attribute("Exceptions", &list(&[numbers(&[caught])]));
    let parameter = pool.utf8("key");
    let parameters = [&[2][..], &numbers(&[parameter, 0x0010, 0, 0x9000])].concat();
    let parameters = pool.attribute("MethodParameters", &parameters);
    pool.declare(0x0001, "choose", "(I)I", &[code, thrown, parameters])
}

fn body_tables(pool: &mut Pool, this_class: u16) -> Vec<Vec<u8>> {
    let (this, this_type, signature) =
        (pool.utf8("this"), pool.utf8("Lp/Small;"), pool.utf8("Lp/Small<TT;>;"));
    let variable = |descriptor| list(&[numbers(&[0, 98, this, descriptor, 0])]);
    let [class_high, class_low] = this_class.to_be_bytes();
    let frames = [
        vec![24],                                          // same
        vec![64 + 5, 5],                                   // a null on the stack
        vec![247, 0, 25, 6],                               // the same, in the long form
        vec![251, 0, 1],                                   // same, in the long form
        vec![254, 0, 2, 1, 4, 7, class_high, class_low],   // three more locals
        vec![249, 0, 0],                                   // two fewer
        vec![255, 0, 9, 0, 2, 0, 2, 0, 3, 3, 8, 0, 56, 5], // everything
    ];
    let type_annotation = type_annotation(pool);
    vec![
        pool.attribute("LineNumberTable", &list(&[numbers(&[0, 10]), numbers(&[30, 12])])),
        pool.attribute("LocalVariableTable", &variable(this_type)),
        pool.attribute("LocalVariableTypeTable", &variable(signature)),
        pool.attribute("StackMapTable", &list(&frames)),
        pool.attribute("RuntimeInvisibleTypeAnnotations", &type_annotation),
    ]
}

/// Two type annotations: of a local variable, with a path, and of a cast.
fn type_annotation(pool: &mut Pool) -> Vec<u8> {
    let marker = pool.utf8("Lp/Marker;");
    let local =
        [&[0x40][..], &numbers(&[2, 0, 5, 1, 9, 4, 1]), &[2, 0, 0, 3, 1], &numbers(&[marker, 0])].concat();
    let cast = [&[0x47][..], &numbers(&[79]), &[0, 0], &numbers(&[marker, 0])].concat();
    list(&[local, cast])
}

/// A body, frames and an attribute that cannot be read, each with something behind it that can.
fn broken_method(pool: &mut Pool) -> Vec<u8> {
    let tables = [
        pool.attribute("StackMapTable", &[0, 1, 64, 77]),
        pool.attribute("LineNumberTable", &list(&[numbers(&[0, 99])])),
    ];
    let body = pool.code(&[0x00, 0xCB, 0xB1], &[], &tables);
    let code = pool.attribute("Code", &body);
    let exceptions = pool.attribute("Exceptions", &[0, 5]);
    let deprecated = pool.attribute("Deprecated", &[]);
    pool.declare(0x0088, "broken", "not a descriptor", &[code, exceptions, deprecated])
}

fn annotated_method(pool: &mut Pool) -> Vec<u8> {
    let number = pool.add(3, &[&65_i32.to_be_bytes()]);
    let text = pool.utf8("text\n");
    let (color, red) = (pool.utf8("Lp/Color;"), pool.utf8("RED"));
    let (outer, inner, name) = (pool.utf8("Lp/Outer;"), pool.utf8("Lp/Inner;"), pool.utf8("value"));
    let constant = |tag: u8, index: u16| [&[tag][..], &index.to_be_bytes()].concat();
    let color_red = [&b"e"[..], &numbers(&[color, red])].concat();
    let nested = [&b"@"[..], &numbers(&[inner, 1, name]), &constant(b'C', number)].concat();
    let empty = [&b"@"[..], &numbers(&[inner, 0])].concat();
    let values =
        [constant(b's', text), constant(b'Z', number), color_red, constant(b'c', color), nested, empty];
    let array = [&b"["[..], &list(&values)].concat();
    let annotation =
        [numbers(&[outer, 2, name]), constant(b'B', number), numbers(&[text]), array.clone()].concat();
    let annotations = list(&[annotation.clone(), numbers(&[inner, 0])]);
    let parameters = [vec![2], list(&[]), list(&[annotation])].concat();
    let attributes = [
        pool.attribute("AnnotationDefault", &array),
        pool.attribute("RuntimeVisibleAnnotations", &annotations),
        pool.attribute("RuntimeVisibleParameterAnnotations", &parameters),
    ];
    pool.declare(0x0481, "annotated", "(J[Ljava/lang/String;)V", &attributes)
}

fn class_attributes(pool: &mut Pool, this_class: u16) -> Vec<Vec<u8>> {
    let factory_class = pool.class("p/Factory");
    let factory = pool.member(10, factory_class, "make", "()Ljava/lang/Object;");
    let factory = pool.handle(6, factory);
    let method_type = pool.named(16, "()V");
    let circle = pool.handle(1, factory + 2);
    let source = pool.utf8("Small.java");
    let inner_name = pool.utf8("In");
    let enclosing = pool.name_and_type("around", "()V");
    let (component, component_type) = (pool.utf8("part"), pool.utf8("I"));
    let deprecated = pool.attribute("Unheard", &[1, 2]);
    let component = [numbers(&[component, component_type]), list(&[deprecated])].concat();
    let inner =
        [numbers(&[factory_class, this_class, inner_name, 0x0609]), numbers(&[factory_class, 0, 0, 0])];
    vec![
        pool.attribute("SourceFile", &numbers(&[source])),
        pool.attribute("BootstrapMethods", &list(&[numbers(&[factory, 2, method_type, circle])])),
        pool.attribute("InnerClasses", &list(&inner)),
        pool.attribute("EnclosingMethod", &numbers(&[factory_class, enclosing])),
        pool.attribute("NestHost", &numbers(&[source])),
        pool.attribute("PermittedSubclasses", &list(&[numbers(&[factory_class])])),
        pool.attribute("Record", &list(&[component])),
        pool.attribute("SourceDebugExtension", b"SMAP\r\nfirst\n\x1B[31m"),
        pool.attribute("Own\nLines", &(0..20).collect::<Vec<u8>>()),
        pool.attribute("Synthetic", &[]),
    ]
}
