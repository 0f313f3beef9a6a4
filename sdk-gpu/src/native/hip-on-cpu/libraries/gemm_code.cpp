// The code object of gemm.hip, made when this library is built.
#include "gemm_code.h"

asm(".pushsection .rodata\n"
    ".balign 16\n"
    ".hidden millraceGemmCode\n"
    ".global millraceGemmCode\n"
    "millraceGemmCode:\n"
    ".incbin \"" GEMM_CODE_OBJECT "\"\n"
    ".popsection\n");
