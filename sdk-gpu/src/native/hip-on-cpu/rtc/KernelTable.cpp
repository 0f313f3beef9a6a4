#include "KernelTable.h"

#include "CppLiteral.h"

namespace millrace::rtc {

namespace {

/** One row: what C++ calls the kernel, and what the table calls it. */
struct Row {
  std::string expression;
  std::string name;
  std::string origin; // what an error in this row is reported for
};

std::vector<Row> rowsOf(const std::vector<FoundKernel>& kernels,
                        const std::map<std::string, std::string>& expressions) {
  std::vector<Row> rows;
  for (const FoundKernel& kernel : kernels)
    rows.push_back({kernel.qualified, kernel.name, "kernel " + kernel.name});
  for (const auto& [expression, lowered] : expressions) {
    bool listed = false;
    for (const FoundKernel& kernel : kernels) listed = listed || kernel.name == lowered;
    if (!listed) rows.push_back({expression, lowered, "name expression " + expression});
  }
  return rows;
}

std::string lineOf(const Row& row) { return "#line 1 " + cppLiteral(row.origin) + "\n"; }

std::string kernelOf(const Row& row) { return "millrace::KernelOf<(" + row.expression + ")>::"; }

std::string description(const std::vector<Row>& rows) {
  std::string text = "namespace { constexpr void millraceDescribe(millrace::MessagePack& note) {\n"
                     "note.map(2);\n"
                     "note.text(\"amdhsa.kernels\"), note.array(" +
                     std::to_string(rows.size()) + ");\n";
  for (const Row& row : rows)
    text += lineOf(row) + kernelOf(row) + "describe(note, " + cppLiteral(row.name) + ");\n";
  return text + "note.text(\"amdhsa.version\"), note.array(2), note.number(1), note.number(2);\n"
                "} }\n"
                "MILLRACE_NOTE(millraceDescribe)\n";
}

std::string table(const std::vector<Row>& rows) {
  std::string text = "extern \"C\" {\n"
                     "extern __attribute__((visibility(\"default\"))) const HipOnCpuKernel "
                     "millrace_kernels[];\n"
                     "const HipOnCpuKernel millrace_kernels[] = {\n";
  for (const Row& row : rows)
    text += lineOf(row) + kernelOf(row) + "entry(" + cppLiteral(row.name) + "),\n";
  return text + "{nullptr, nullptr, 0}};\n}\n";
}

} // namespace

std::string kernelTable(const std::vector<FoundKernel>& kernels,
                        const std::map<std::string, std::string>& expressions) {
  std::vector<Row> rows = rowsOf(kernels, expressions);
  return "\n#line 1 \"kernel table\"\n" + description(rows) + table(rows);
}

} // namespace millrace::rtc
