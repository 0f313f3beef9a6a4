// NT_AMDGPU_METADATA, written at compile time: an ELF note that holds a MessagePack map.
namespace millrace {

/** A MessagePack writer; without a buffer it only counts. */
class MessagePack {
public:
  constexpr explicit MessagePack(unsigned char* out = nullptr) : out(out) {}

  constexpr void map(unsigned entries) { byte(0xde), bigEndian16(entries); }
  constexpr void array(unsigned elements) { byte(0xdc), bigEndian16(elements); }

  constexpr void number(unsigned value) {
    byte(0xce), bigEndian16(value >> 16), bigEndian16(value & 0xffff);
  }

  constexpr void text(const char* value, const char* suffix = "") {
    byte(0xda), bigEndian16(length(value) + length(suffix));
    characters(value), characters(suffix);
  }

  constexpr unsigned size() const { return written; }

private:
  unsigned char* out;
  unsigned written = 0;

  static constexpr unsigned length(const char* value) {
    unsigned result = 0;
    while (value[result]) ++result;
    return result;
  }

  constexpr void characters(const char* value) {
    while (*value) byte(static_cast<unsigned char>(*value++));
  }

  constexpr void bigEndian16(unsigned value) { byte(value >> 8), byte(value & 0xff); }

  constexpr void byte(unsigned value) {
    if (out) out[written] = static_cast<unsigned char>(value);
    ++written;
  }
};

template <unsigned Size> struct Note {
  unsigned nameSize = 7, descriptionSize = Size, type = 32;
  char name[8] = "AMDGPU";
  unsigned char description[(Size + 3) / 4 * 4] = {};
};

} // namespace millrace

// Puts what that function describes into a note section of the shared object.
#define MILLRACE_NOTE(describe)                                                                    \
  namespace {                                                                                      \
  constexpr unsigned millraceDescribedSize() {                                                     \
    millrace::MessagePack counted;                                                                 \
    describe(counted);                                                                             \
    return counted.size();                                                                         \
  }                                                                                                \
  constexpr auto millraceMakeNote() {                                                              \
    millrace::Note<millraceDescribedSize()> note;                                                  \
    millrace::MessagePack writer(note.description);                                                \
    describe(writer);                                                                              \
    return note;                                                                                   \
  }                                                                                                \
  __attribute__((section(".note.AMDGPU"), aligned(4), used)) constexpr auto millraceNote =         \
      millraceMakeNote();                                                                          \
  }
