#pragma once

/** The code object of gemm.hip, for hipModuleLoadData. */
extern "C" __attribute__((visibility("hidden"))) const unsigned char millraceGemmCode[];
