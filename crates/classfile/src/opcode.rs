//! The one table of opcodes (JVMS chapter 6).
//!
//! Decoder, encoder, printer, stack effects and control flow all come from the rows below; nothing else in the crate
//! knows how an instruction looks. A row is: value, constant, mnemonic, form of the operands, effect on the operand
//! stack, and where execution goes.
//!
//! An effect is what is popped and what is pushed, the top of the stack last. Capital letters are types (`A` reference,
//! `R` return address, `J` and `D` two slots wide); small letters are slots of any type, so that `ab>bab` says where
//! each slot goes.

/// An opcode; every byte is one, defined or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode(pub u8);

/// How the operands of an instruction are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// No opcode of the specification.
    Undefined,
    /// No operands.
    Plain,
    /// A signed byte.
    Byte,
    /// A signed two-byte number.
    Short,
    /// A one-byte constant pool index.
    Constant1,
    /// A two-byte constant pool index.
    Constant2,
    /// A local variable; two bytes after `wide`.
    Local,
    /// No operands: the mnemonic names the local variable.
    ImplicitLocal(u8),
    /// A local variable and a signed number to add; two bytes each after `wide`.
    Increment,
    /// A signed two-byte distance.
    Jump2,
    /// A signed four-byte distance.
    Jump4,
    /// Padding, default, bounds, distances.
    TableSwitch,
    /// Padding, default, count, pairs of key and distance.
    LookupSwitch,
    /// An index, the number of argument slots, a zero.
    InterfaceCall,
    /// An index and two zeros.
    DynamicCall,
    /// The code of a primitive type.
    ArrayType,
    /// An index and a number of dimensions.
    MultiArray,
    /// Another opcode follows.
    Wide,
}

/// What an instruction does to the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Always the same: what is popped and what is pushed.
    Fixed {
        /// Popped, the top last.
        pops: &'static str,
        /// Pushed, the top last.
        pushes: &'static str,
    },
    /// The constant that the instruction names decides.
    ByConstant,
}

/// Where execution goes after an instruction that does not throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To the target or to the next instruction.
    Branch,
    /// To the target.
    Goto,
    /// To one of the targets.
    Switch,
    /// To a subroutine, from which `ret` comes back to the next instruction.
    Call,
    /// Back to where a subroutine was called.
    Ret,
    /// Out of the method.
    Return,
    /// To a handler or out of the method.
    Throw,
}

impl Flow {
    /// Whether the next instruction can follow directly. A subroutine call does not: only `ret` leads there.
    pub fn falls_through(self) -> bool {
        matches!(self, Self::Next | Self::Branch)
    }
}

/// All that is known of an opcode.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The name in the specification.
    pub mnemonic: &'static str,
    /// How the operands are written.
    pub form: Form,
    /// What happens to the operand stack.
    pub effect: Effect,
    /// Where execution goes.
    pub flow: Flow,
}

const UNDEFINED: Info = Info {
    mnemonic: "",
    form: Form::Undefined,
    effect: Effect::Fixed { pops: "", pushes: "" },
    flow: Flow::Next,
};

macro_rules! opcodes {
    (@effect ByConstant) => { Effect::ByConstant };
    (@effect ($pops:literal $pushes:literal)) => { Effect::Fixed { pops: $pops, pushes: $pushes } };
    ($($value:literal $name:ident $mnemonic:literal [$($form:tt)+] $effect:tt $flow:ident;)+) => {
        #[allow(missing_docs, reason = "the names are those of JVMS 6.5")]
        impl Opcode { $(pub const $name: Self = Self($value);)+ }

        static TABLE: [Info; 256] = {
            let mut table = [UNDEFINED; 256];
            $(table[$value] = Info {
                mnemonic: $mnemonic,
                form: Form::$($form)+,
                effect: opcodes!(@effect $effect),
                flow: Flow::$flow,
            };)+
            table
        };

        /// The values of all rows, in the order of the table.
        #[cfg(test)]
        const ROWS: &[usize] = &[$($value),+];
    };
}

opcodes! {
    0x00 NOP "nop" [Plain] ("" "") Next;
    0x01 ACONST_NULL "aconst_null" [Plain] ("" "A") Next;
    0x02 ICONST_M1 "iconst_m1" [Plain] ("" "I") Next;
    0x03 ICONST_0 "iconst_0" [Plain] ("" "I") Next;
    0x04 ICONST_1 "iconst_1" [Plain] ("" "I") Next;
    0x05 ICONST_2 "iconst_2" [Plain] ("" "I") Next;
    0x06 ICONST_3 "iconst_3" [Plain] ("" "I") Next;
    0x07 ICONST_4 "iconst_4" [Plain] ("" "I") Next;
    0x08 ICONST_5 "iconst_5" [Plain] ("" "I") Next;
    0x09 LCONST_0 "lconst_0" [Plain] ("" "J") Next;
    0x0a LCONST_1 "lconst_1" [Plain] ("" "J") Next;
    0x0b FCONST_0 "fconst_0" [Plain] ("" "F") Next;
    0x0c FCONST_1 "fconst_1" [Plain] ("" "F") Next;
    0x0d FCONST_2 "fconst_2" [Plain] ("" "F") Next;
    0x0e DCONST_0 "dconst_0" [Plain] ("" "D") Next;
    0x0f DCONST_1 "dconst_1" [Plain] ("" "D") Next;
    0x10 BIPUSH "bipush" [Byte] ("" "I") Next;
    0x11 SIPUSH "sipush" [Short] ("" "I") Next;
    0x12 LDC "ldc" [Constant1] ByConstant Next;
    0x13 LDC_W "ldc_w" [Constant2] ByConstant Next;
    0x14 LDC2_W "ldc2_w" [Constant2] ByConstant Next;
    0x15 ILOAD "iload" [Local] ("" "I") Next;
    0x16 LLOAD "lload" [Local] ("" "J") Next;
    0x17 FLOAD "fload" [Local] ("" "F") Next;
    0x18 DLOAD "dload" [Local] ("" "D") Next;
    0x19 ALOAD "aload" [Local] ("" "A") Next;
    0x1a ILOAD_0 "iload_0" [ImplicitLocal(0)] ("" "I") Next;
    0x1b ILOAD_1 "iload_1" [ImplicitLocal(1)] ("" "I") Next;
    0x1c ILOAD_2 "iload_2" [ImplicitLocal(2)] ("" "I") Next;
    0x1d ILOAD_3 "iload_3" [ImplicitLocal(3)] ("" "I") Next;
    0x1e LLOAD_0 "lload_0" [ImplicitLocal(0)] ("" "J") Next;
    0x1f LLOAD_1 "lload_1" [ImplicitLocal(1)] ("" "J") Next;
    0x20 LLOAD_2 "lload_2" [ImplicitLocal(2)] ("" "J") Next;
    0x21 LLOAD_3 "lload_3" [ImplicitLocal(3)] ("" "J") Next;
    0x22 FLOAD_0 "fload_0" [ImplicitLocal(0)] ("" "F") Next;
    0x23 FLOAD_1 "fload_1" [ImplicitLocal(1)] ("" "F") Next;
    0x24 FLOAD_2 "fload_2" [ImplicitLocal(2)] ("" "F") Next;
    0x25 FLOAD_3 "fload_3" [ImplicitLocal(3)] ("" "F") Next;
    0x26 DLOAD_0 "dload_0" [ImplicitLocal(0)] ("" "D") Next;
    0x27 DLOAD_1 "dload_1" [ImplicitLocal(1)] ("" "D") Next;
    0x28 DLOAD_2 "dload_2" [ImplicitLocal(2)] ("" "D") Next;
    0x29 DLOAD_3 "dload_3" [ImplicitLocal(3)] ("" "D") Next;
    0x2a ALOAD_0 "aload_0" [ImplicitLocal(0)] ("" "A") Next;
    0x2b ALOAD_1 "aload_1" [ImplicitLocal(1)] ("" "A") Next;
    0x2c ALOAD_2 "aload_2" [ImplicitLocal(2)] ("" "A") Next;
    0x2d ALOAD_3 "aload_3" [ImplicitLocal(3)] ("" "A") Next;
    0x2e IALOAD "iaload" [Plain] ("AI" "I") Next;
    0x2f LALOAD "laload" [Plain] ("AI" "J") Next;
    0x30 FALOAD "faload" [Plain] ("AI" "F") Next;
    0x31 DALOAD "daload" [Plain] ("AI" "D") Next;
    0x32 AALOAD "aaload" [Plain] ("AI" "A") Next;
    0x33 BALOAD "baload" [Plain] ("AI" "I") Next;
    0x34 CALOAD "caload" [Plain] ("AI" "I") Next;
    0x35 SALOAD "saload" [Plain] ("AI" "I") Next;
    0x36 ISTORE "istore" [Local] ("I" "") Next;
    0x37 LSTORE "lstore" [Local] ("J" "") Next;
    0x38 FSTORE "fstore" [Local] ("F" "") Next;
    0x39 DSTORE "dstore" [Local] ("D" "") Next;
    0x3a ASTORE "astore" [Local] ("A" "") Next;
    0x3b ISTORE_0 "istore_0" [ImplicitLocal(0)] ("I" "") Next;
    0x3c ISTORE_1 "istore_1" [ImplicitLocal(1)] ("I" "") Next;
    0x3d ISTORE_2 "istore_2" [ImplicitLocal(2)] ("I" "") Next;
    0x3e ISTORE_3 "istore_3" [ImplicitLocal(3)] ("I" "") Next;
    0x3f LSTORE_0 "lstore_0" [ImplicitLocal(0)] ("J" "") Next;
    0x40 LSTORE_1 "lstore_1" [ImplicitLocal(1)] ("J" "") Next;
    0x41 LSTORE_2 "lstore_2" [ImplicitLocal(2)] ("J" "") Next;
    0x42 LSTORE_3 "lstore_3" [ImplicitLocal(3)] ("J" "") Next;
    0x43 FSTORE_0 "fstore_0" [ImplicitLocal(0)] ("F" "") Next;
    0x44 FSTORE_1 "fstore_1" [ImplicitLocal(1)] ("F" "") Next;
    0x45 FSTORE_2 "fstore_2" [ImplicitLocal(2)] ("F" "") Next;
    0x46 FSTORE_3 "fstore_3" [ImplicitLocal(3)] ("F" "") Next;
    0x47 DSTORE_0 "dstore_0" [ImplicitLocal(0)] ("D" "") Next;
    0x48 DSTORE_1 "dstore_1" [ImplicitLocal(1)] ("D" "") Next;
    0x49 DSTORE_2 "dstore_2" [ImplicitLocal(2)] ("D" "") Next;
    0x4a DSTORE_3 "dstore_3" [ImplicitLocal(3)] ("D" "") Next;
    0x4b ASTORE_0 "astore_0" [ImplicitLocal(0)] ("A" "") Next;
    0x4c ASTORE_1 "astore_1" [ImplicitLocal(1)] ("A" "") Next;
    0x4d ASTORE_2 "astore_2" [ImplicitLocal(2)] ("A" "") Next;
    0x4e ASTORE_3 "astore_3" [ImplicitLocal(3)] ("A" "") Next;
    0x4f IASTORE "iastore" [Plain] ("AII" "") Next;
    0x50 LASTORE "lastore" [Plain] ("AIJ" "") Next;
    0x51 FASTORE "fastore" [Plain] ("AIF" "") Next;
    0x52 DASTORE "dastore" [Plain] ("AID" "") Next;
    0x53 AASTORE "aastore" [Plain] ("AIA" "") Next;
    0x54 BASTORE "bastore" [Plain] ("AII" "") Next;
    0x55 CASTORE "castore" [Plain] ("AII" "") Next;
    0x56 SASTORE "sastore" [Plain] ("AII" "") Next;
    0x57 POP "pop" [Plain] ("a" "") Next;
    0x58 POP2 "pop2" [Plain] ("ab" "") Next;
    0x59 DUP "dup" [Plain] ("a" "aa") Next;
    0x5a DUP_X1 "dup_x1" [Plain] ("ab" "bab") Next;
    0x5b DUP_X2 "dup_x2" [Plain] ("abc" "cabc") Next;
    0x5c DUP2 "dup2" [Plain] ("ab" "abab") Next;
    0x5d DUP2_X1 "dup2_x1" [Plain] ("abc" "bcabc") Next;
    0x5e DUP2_X2 "dup2_x2" [Plain] ("abcd" "cdabcd") Next;
    0x5f SWAP "swap" [Plain] ("ab" "ba") Next;
    0x60 IADD "iadd" [Plain] ("II" "I") Next;
    0x61 LADD "ladd" [Plain] ("JJ" "J") Next;
    0x62 FADD "fadd" [Plain] ("FF" "F") Next;
    0x63 DADD "dadd" [Plain] ("DD" "D") Next;
    0x64 ISUB "isub" [Plain] ("II" "I") Next;
    0x65 LSUB "lsub" [Plain] ("JJ" "J") Next;
    0x66 FSUB "fsub" [Plain] ("FF" "F") Next;
    0x67 DSUB "dsub" [Plain] ("DD" "D") Next;
    0x68 IMUL "imul" [Plain] ("II" "I") Next;
    0x69 LMUL "lmul" [Plain] ("JJ" "J") Next;
    0x6a FMUL "fmul" [Plain] ("FF" "F") Next;
    0x6b DMUL "dmul" [Plain] ("DD" "D") Next;
    0x6c IDIV "idiv" [Plain] ("II" "I") Next;
    0x6d LDIV "ldiv" [Plain] ("JJ" "J") Next;
    0x6e FDIV "fdiv" [Plain] ("FF" "F") Next;
    0x6f DDIV "ddiv" [Plain] ("DD" "D") Next;
    0x70 IREM "irem" [Plain] ("II" "I") Next;
    0x71 LREM "lrem" [Plain] ("JJ" "J") Next;
    0x72 FREM "frem" [Plain] ("FF" "F") Next;
    0x73 DREM "drem" [Plain] ("DD" "D") Next;
    0x74 INEG "ineg" [Plain] ("I" "I") Next;
    0x75 LNEG "lneg" [Plain] ("J" "J") Next;
    0x76 FNEG "fneg" [Plain] ("F" "F") Next;
    0x77 DNEG "dneg" [Plain] ("D" "D") Next;
    0x78 ISHL "ishl" [Plain] ("II" "I") Next;
    0x79 LSHL "lshl" [Plain] ("JI" "J") Next;
    0x7a ISHR "ishr" [Plain] ("II" "I") Next;
    0x7b LSHR "lshr" [Plain] ("JI" "J") Next;
    0x7c IUSHR "iushr" [Plain] ("II" "I") Next;
    0x7d LUSHR "lushr" [Plain] ("JI" "J") Next;
    0x7e IAND "iand" [Plain] ("II" "I") Next;
    0x7f LAND "land" [Plain] ("JJ" "J") Next;
    0x80 IOR "ior" [Plain] ("II" "I") Next;
    0x81 LOR "lor" [Plain] ("JJ" "J") Next;
    0x82 IXOR "ixor" [Plain] ("II" "I") Next;
    0x83 LXOR "lxor" [Plain] ("JJ" "J") Next;
    0x84 IINC "iinc" [Increment] ("" "") Next;
    0x85 I2L "i2l" [Plain] ("I" "J") Next;
    0x86 I2F "i2f" [Plain] ("I" "F") Next;
    0x87 I2D "i2d" [Plain] ("I" "D") Next;
    0x88 L2I "l2i" [Plain] ("J" "I") Next;
    0x89 L2F "l2f" [Plain] ("J" "F") Next;
    0x8a L2D "l2d" [Plain] ("J" "D") Next;
    0x8b F2I "f2i" [Plain] ("F" "I") Next;
    0x8c F2L "f2l" [Plain] ("F" "J") Next;
    0x8d F2D "f2d" [Plain] ("F" "D") Next;
    0x8e D2I "d2i" [Plain] ("D" "I") Next;
    0x8f D2L "d2l" [Plain] ("D" "J") Next;
    0x90 D2F "d2f" [Plain] ("D" "F") Next;
    0x91 I2B "i2b" [Plain] ("I" "I") Next;
    0x92 I2C "i2c" [Plain] ("I" "I") Next;
    0x93 I2S "i2s" [Plain] ("I" "I") Next;
    0x94 LCMP "lcmp" [Plain] ("JJ" "I") Next;
    0x95 FCMPL "fcmpl" [Plain] ("FF" "I") Next;
    0x96 FCMPG "fcmpg" [Plain] ("FF" "I") Next;
    0x97 DCMPL "dcmpl" [Plain] ("DD" "I") Next;
    0x98 DCMPG "dcmpg" [Plain] ("DD" "I") Next;
    0x99 IFEQ "ifeq" [Jump2] ("I" "") Branch;
    0x9a IFNE "ifne" [Jump2] ("I" "") Branch;
    0x9b IFLT "iflt" [Jump2] ("I" "") Branch;
    0x9c IFGE "ifge" [Jump2] ("I" "") Branch;
    0x9d IFGT "ifgt" [Jump2] ("I" "") Branch;
    0x9e IFLE "ifle" [Jump2] ("I" "") Branch;
    0x9f IF_ICMPEQ "if_icmpeq" [Jump2] ("II" "") Branch;
    0xa0 IF_ICMPNE "if_icmpne" [Jump2] ("II" "") Branch;
    0xa1 IF_ICMPLT "if_icmplt" [Jump2] ("II" "") Branch;
    0xa2 IF_ICMPGE "if_icmpge" [Jump2] ("II" "") Branch;
    0xa3 IF_ICMPGT "if_icmpgt" [Jump2] ("II" "") Branch;
    0xa4 IF_ICMPLE "if_icmple" [Jump2] ("II" "") Branch;
    0xa5 IF_ACMPEQ "if_acmpeq" [Jump2] ("AA" "") Branch;
    0xa6 IF_ACMPNE "if_acmpne" [Jump2] ("AA" "") Branch;
    0xa7 GOTO "goto" [Jump2] ("" "") Goto;
    0xa8 JSR "jsr" [Jump2] ("" "R") Call;
    0xa9 RET "ret" [Local] ("" "") Ret;
    0xaa TABLESWITCH "tableswitch" [TableSwitch] ("I" "") Switch;
    0xab LOOKUPSWITCH "lookupswitch" [LookupSwitch] ("I" "") Switch;
    0xac IRETURN "ireturn" [Plain] ("I" "") Return;
    0xad LRETURN "lreturn" [Plain] ("J" "") Return;
    0xae FRETURN "freturn" [Plain] ("F" "") Return;
    0xaf DRETURN "dreturn" [Plain] ("D" "") Return;
    0xb0 ARETURN "areturn" [Plain] ("A" "") Return;
    0xb1 RETURN "return" [Plain] ("" "") Return;
    0xb2 GETSTATIC "getstatic" [Constant2] ByConstant Next;
    0xb3 PUTSTATIC "putstatic" [Constant2] ByConstant Next;
    0xb4 GETFIELD "getfield" [Constant2] ByConstant Next;
    0xb5 PUTFIELD "putfield" [Constant2] ByConstant Next;
    0xb6 INVOKEVIRTUAL "invokevirtual" [Constant2] ByConstant Next;
    0xb7 INVOKESPECIAL "invokespecial" [Constant2] ByConstant Next;
    0xb8 INVOKESTATIC "invokestatic" [Constant2] ByConstant Next;
    0xb9 INVOKEINTERFACE "invokeinterface" [InterfaceCall] ByConstant Next;
    0xba INVOKEDYNAMIC "invokedynamic" [DynamicCall] ByConstant Next;
    0xbb NEW "new" [Constant2] ("" "A") Next;
    0xbc NEWARRAY "newarray" [ArrayType] ("I" "A") Next;
    0xbd ANEWARRAY "anewarray" [Constant2] ("I" "A") Next;
    0xbe ARRAYLENGTH "arraylength" [Plain] ("A" "I") Next;
    0xbf ATHROW "athrow" [Plain] ("A" "") Throw;
    0xc0 CHECKCAST "checkcast" [Constant2] ("A" "A") Next;
    0xc1 INSTANCEOF "instanceof" [Constant2] ("A" "I") Next;
    0xc2 MONITORENTER "monitorenter" [Plain] ("A" "") Next;
    0xc3 MONITOREXIT "monitorexit" [Plain] ("A" "") Next;
    0xc4 WIDE "wide" [Wide] ("" "") Next;
    0xc5 MULTIANEWARRAY "multianewarray" [MultiArray] ByConstant Next;
    0xc6 IFNULL "ifnull" [Jump2] ("A" "") Branch;
    0xc7 IFNONNULL "ifnonnull" [Jump2] ("A" "") Branch;
    0xc8 GOTO_W "goto_w" [Jump4] ("" "") Goto;
    0xc9 JSR_W "jsr_w" [Jump4] ("" "R") Call;
}

/// What is asked for at every instruction, taken from the table into few lines of the processor's cache.
#[allow(clippy::indexing_slicing, reason = "computed by the compiler, which would refuse")]
static FLOWS: [Flow; 256] = {
    let mut flows = [Flow::Next; 256];
    let mut value = 0;
    while value < 256 {
        flows[value] = TABLE[value].flow;
        value += 1;
    }
    flows
};

/// The lengths of instructions that have one length, no target and no operand that can be wrong by itself; 0 for others.
#[allow(clippy::indexing_slicing, reason = "computed by the compiler, which would refuse")]
static SIMPLE_LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut value = 0;
    while value < 256 {
        lengths[value] = match TABLE[value].form {
            Form::Plain | Form::ImplicitLocal(_) => 1,
            Form::Byte | Form::Constant1 | Form::Local | Form::ArrayType => 2,
            Form::Short | Form::Constant2 | Form::Increment => 3,
            Form::MultiArray => 4,
            _ => 0,
        };
        value += 1;
    }
    lengths
};

impl Opcode {
    /// The row of the table.
    #[inline]
    pub fn info(self) -> &'static Info {
        #[allow(clippy::indexing_slicing, reason = "a u8 is always inside a table of 256 rows")]
        &TABLE[usize::from(self.0)]
    }

    /// The name in the specification, empty if undefined.
    pub fn mnemonic(self) -> &'static str {
        self.info().mnemonic
    }

    /// How the operands are written.
    #[inline]
    pub fn form(self) -> Form {
        self.info().form
    }

    /// Where execution goes.
    #[inline]
    pub fn flow(self) -> Flow {
        #[allow(clippy::indexing_slicing, reason = "a u8 is always inside a table of 256 rows")]
        FLOWS[usize::from(self.0)]
    }

    /// The length of an instruction that always has the same and leads to the next one; nothing for others.
    #[inline]
    pub(crate) fn simple_length(self) -> Option<u32> {
        #[allow(clippy::indexing_slicing, reason = "a u8 is always inside a table of 256 rows")]
        match SIMPLE_LENGTHS[usize::from(self.0)] {
            0 => None,
            length => Some(u32::from(length)),
        }
    }

    /// The conditional jump that is taken when this one is not; nothing for other opcodes.
    pub fn inverted(self) -> Option<Self> {
        match self.0 {
            // The conditions stand in pairs, each odd value with the even one after it.
            0x99..=0xa6 => Some(Self(((self.0 - 1) ^ 1) + 1)),
            0xc6..=0xc7 => Some(Self(self.0 ^ 1)),
            _ => None,
        }
    }

    /// The form of a jump with a four-byte distance, for jumps that have one.
    pub fn widened(self) -> Option<Self> {
        match self {
            Self::GOTO => Some(Self::GOTO_W),
            Self::JSR => Some(Self::JSR_W),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.mnemonic() {
            "" => write!(f, "undefined opcode 0x{:02x}", self.0),
            mnemonic => f.write_str(mnemonic),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_of_the_specification_has_one_row_and_no_other_value_has() {
        assert_eq!(ROWS, (0x00..=0xc9).collect::<Vec<_>>());
        for value in 0..=255 {
            assert_eq!(Opcode(value).form() == Form::Undefined, value > 0xc9);
        }
    }

    #[test]
    fn inverting_a_condition_twice_gives_it_back() {
        for value in 0..=255 {
            let opcode = Opcode(value);
            assert_eq!(opcode.inverted().is_some(), opcode.flow() == Flow::Branch, "{opcode:?}");
            if let Some(other) = opcode.inverted() {
                assert_ne!(other, opcode);
                assert_eq!(other.inverted(), Some(opcode));
                assert_eq!(other.info().effect, opcode.info().effect);
            }
        }
        assert_eq!(Opcode::IFEQ.inverted(), Some(Opcode::IFNE));
        assert_eq!(Opcode::IF_ICMPLT.inverted(), Some(Opcode::IF_ICMPGE));
        assert_eq!(Opcode::IFNULL.inverted(), Some(Opcode::IFNONNULL));
    }

    #[test]
    fn effects_use_the_letters_that_the_module_explains() {
        for value in ROWS {
            let opcode = Opcode(*value as u8);
            if let Effect::Fixed { pops, pushes } = opcode.info().effect {
                let typed = |text: &str| text.chars().all(|c| "IFJDAR".contains(c));
                let slots = |text: &str| text.chars().all(|c| pops.contains(c) && c.is_ascii_lowercase());
                assert!((typed(pops) && typed(pushes)) || (slots(pops) && slots(pushes)), "{opcode:?}");
            }
        }
    }
}
