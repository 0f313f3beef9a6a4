// Words of the device language that need threads which run together. Here a block's threads run one
// after the other, so each of these is a compile error at its own line, never a wrong result.
#define MILLRACE_TEXT(text) #text
#define MILLRACE_REFUSE(text) _Pragma(MILLRACE_TEXT(GCC error text))

#define MILLRACE_NO_BARRIER                                                                        \
  MILLRACE_REFUSE("hip-on-cpu has no __syncthreads: it runs a block's threads one after the other")
#define MILLRACE_NO_WARP                                                                           \
  MILLRACE_REFUSE("hip-on-cpu has no warp functions: it runs threads one after the other")

#define __shared__                                                                                 \
  MILLRACE_REFUSE("hip-on-cpu has no __shared__ memory: without __syncthreads it has no use")

#define __syncthreads() MILLRACE_NO_BARRIER
#define __syncthreads_count(...) MILLRACE_NO_BARRIER
#define __syncthreads_and(...) MILLRACE_NO_BARRIER
#define __syncthreads_or(...) MILLRACE_NO_BARRIER
#define __syncwarp(...) MILLRACE_NO_WARP
#define __shfl(...) MILLRACE_NO_WARP
#define __shfl_up(...) MILLRACE_NO_WARP
#define __shfl_down(...) MILLRACE_NO_WARP
#define __shfl_xor(...) MILLRACE_NO_WARP
#define __shfl_sync(...) MILLRACE_NO_WARP
#define __shfl_up_sync(...) MILLRACE_NO_WARP
#define __shfl_down_sync(...) MILLRACE_NO_WARP
#define __shfl_xor_sync(...) MILLRACE_NO_WARP
#define __ballot(...) MILLRACE_NO_WARP
#define __ballot_sync(...) MILLRACE_NO_WARP
#define __any(...) MILLRACE_NO_WARP
#define __all(...) MILLRACE_NO_WARP
#define __any_sync(...) MILLRACE_NO_WARP
#define __all_sync(...) MILLRACE_NO_WARP
#define __activemask() MILLRACE_NO_WARP
