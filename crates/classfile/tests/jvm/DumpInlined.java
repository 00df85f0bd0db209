import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.JSRInlinerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Prints, for every method with subroutines of the jars and class files that are named, the list of instructions that
 * ASM makes of it by inlining them. Labels are numbered in the order of the list.
 */
public final class DumpInlined {
    private static PrintStream out;

    public static void main(String[] arguments) throws IOException {
        out = new PrintStream(System.out, false, "UTF-8");
        for (String argument : arguments) {
            if (argument.endsWith(".class")) {
                dump(Files.readAllBytes(Path.of(argument)));
            } else {
                dumpJar(argument);
            }
        }
        out.flush();
    }

    private static void dumpJar(String path) throws IOException {
        try (ZipFile jar = new ZipFile(path)) {
            List<? extends ZipEntry> entries = jar.stream()
                .filter(entry -> entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/"))
                .collect(Collectors.toList());
            for (ZipEntry entry : entries) {
                try (InputStream in = jar.getInputStream(entry)) {
                    dump(in.readAllBytes());
                }
            }
        }
    }

    private static void dump(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        String owner = reader.getClassName();
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String signature, String[] exceptions) {
                return new Dumper(owner, access, name, descriptor);
            }
        }, 0);
    }

    private static final class Dumper extends JSRInlinerAdapter {
        private final String title;
        private boolean calls;
        private final Map<Label, Integer> numbers = new HashMap<>();

        Dumper(String owner, int access, String name, String descriptor) {
            super(Opcodes.ASM9, null, access, name, descriptor, null, null);
            title = owner + "." + name + descriptor;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            calls |= opcode == Opcodes.JSR;
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitEnd() {
            if (!calls) {
                return;
            }
            out.println("method " + title);
            try {
                super.visitEnd();
            } catch (RuntimeException refusal) {
                out.println("refused");
                return;
            }
            for (AbstractInsnNode node : instructions) {
                if (node instanceof LabelNode label) {
                    numbers.put(label.getLabel(), numbers.size());
                }
            }
            for (AbstractInsnNode node : instructions) {
                out.println(shown(node));
            }
            for (TryCatchBlockNode block : tryCatchBlocks) {
                out.println("catch " + at(block.start) + at(block.end) + at(block.handler) + block.type);
            }
            if (localVariables != null) {
                for (LocalVariableNode variable : localVariables) {
                    out.println("variable " + at(variable.start) + at(variable.end) + variable.index + " "
                        + variable.name + " " + variable.desc);
                }
            }
        }

        private String at(LabelNode label) {
            return "L" + numbers.get(label.getLabel()) + " ";
        }

        private String shown(AbstractInsnNode node) {
            if (node instanceof LabelNode label) {
                return at(label).trim();
            }
            if (node instanceof LineNumberNode line) {
                return "line " + line.line + " " + at(line.start).trim();
            }
            return (node.getOpcode() + " " + operands(node)).trim();
        }

        private String operands(AbstractInsnNode node) {
            if (node instanceof JumpInsnNode jump) {
                return at(jump.label);
            } else if (node instanceof TableSwitchInsnNode table) {
                StringBuilder text = new StringBuilder(at(table.dflt));
                for (int i = 0; i < table.labels.size(); i++) {
                    text.append(table.min + i).append(':').append(at(table.labels.get(i)));
                }
                return text.toString();
            } else if (node instanceof LookupSwitchInsnNode lookup) {
                StringBuilder text = new StringBuilder(at(lookup.dflt));
                for (int i = 0; i < lookup.labels.size(); i++) {
                    text.append(lookup.keys.get(i)).append(':').append(at(lookup.labels.get(i)));
                }
                return text.toString();
            } else if (node instanceof VarInsnNode variable) {
                return "" + variable.var;
            } else if (node instanceof IincInsnNode increment) {
                return increment.var + " " + increment.incr;
            } else if (node instanceof IntInsnNode number) {
                return "" + number.operand;
            } else if (node instanceof TypeInsnNode type) {
                return type.desc;
            } else if (node instanceof FieldInsnNode field) {
                return field.owner + "." + field.name + ":" + field.desc;
            } else if (node instanceof MethodInsnNode method) {
                return method.owner + "." + method.name + ":" + method.desc;
            } else if (node instanceof MultiANewArrayInsnNode array) {
                return array.desc + " " + array.dims;
            } else if (node instanceof LdcInsnNode constant) {
                return constant(constant.cst);
            }
            return "";
        }
    }

    private static String constant(Object value) {
        if (value instanceof Integer number) {
            return "I" + number;
        } else if (value instanceof Long number) {
            return "J" + number;
        } else if (value instanceof Float number) {
            return "F" + Integer.toUnsignedString(Float.floatToRawIntBits(number));
        } else if (value instanceof Double number) {
            return "D" + Long.toUnsignedString(Double.doubleToRawLongBits(number));
        } else if (value instanceof Type type) {
            return "C" + type.getInternalName();
        }
        StringBuilder text = new StringBuilder("S");
        for (byte one : modifiedUtf8((String) value)) {
            text.append(String.format("%02x", one));
        }
        return text.toString();
    }

    private static byte[] modifiedUtf8(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            for (int i = 0; i < text.length(); i++) {
                ByteArrayOutputStream one = new ByteArrayOutputStream();
                new DataOutputStream(one).writeUTF(text.substring(i, i + 1));
                bytes.write(one.toByteArray(), 2, one.size() - 2);
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        return bytes.toByteArray();
    }
}
