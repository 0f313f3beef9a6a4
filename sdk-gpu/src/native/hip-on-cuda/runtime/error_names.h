#pragma once

namespace millrace {

// True if HIP has a result code of that number.
bool isHipError(int code);

}  // namespace millrace
