package dev.millrace.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The order of a module's packages. A package may import those of the ranks before its own; the
 * packages of one rank are peers and may not see each other.
 *
 * @param base the package that all of them lie in
 * @param ranks package names below {@code base}, {@code ".."} at the end for all below; the first
 *     rank imports nothing of this module
 * @param exemptions imports that pass although they point the wrong way
 */
public record Arrows(String base, List<List<String>> ranks, List<Exemption> exemptions) {

  /** One sentence for each import that points the wrong way, and for each package of no rank. */
  public List<String> violations(JavaClasses classes) {
    return Stream.concat(strangers(classes), wrongWay(classes)).distinct().sorted().toList();
  }

  private Stream<String> strangers(JavaClasses classes) {
    return classes.stream()
        .map(JavaClass::getPackageName)
        .filter(name -> !name.isEmpty() && rankOf(name).isEmpty())
        .map(name -> name + " has no place in the order of packages: " + this);
  }

  private Stream<String> wrongWay(JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .filter(this::pointsTheWrongWay)
        .filter(dependency -> !isExempt(dependency))
        .map(
            dependency ->
                "%s imports %s, which does not stand before it in: %s %s"
                    .formatted(
                        dependency.getOriginClass().getName(),
                        dependency.getTargetClass().getName(),
                        this,
                        dependency.getSourceCodeLocation()));
  }

  private boolean pointsTheWrongWay(Dependency dependency) {
    String from = dependency.getOriginClass().getPackageName();
    String to = dependency.getTargetClass().getPackageName();
    OptionalInt fromRank = rankOf(from);
    OptionalInt toRank = rankOf(to);
    return fromRank.isPresent()
        && toRank.isPresent()
        && toRank.getAsInt() >= fromRank.getAsInt()
        && !nameOf(from).equals(nameOf(to));
  }

  private boolean isExempt(Dependency dependency) {
    String from = dependency.getOriginClass().getSimpleName();
    String to = dependency.getTargetClass().getSimpleName();
    return exemptions.stream().anyMatch(it -> it.from().equals(from) && it.to().equals(to));
  }

  private OptionalInt rankOf(String packageName) {
    return IntStream.range(0, ranks.size())
        .filter(rank -> ranks.get(rank).stream().anyMatch(name -> matches(name, packageName)))
        .findFirst();
  }

  private String nameOf(String packageName) {
    return ranks.stream()
        .flatMap(List::stream)
        .filter(name -> matches(name, packageName))
        .findFirst()
        .orElseThrow();
  }

  private boolean matches(String name, String packageName) {
    return PackageMatcher.of(base + "." + name).matches(packageName);
  }

  /** The order as the documentation writes it: {@code handle ← error ← { host, binding }}. */
  @Override
  public String toString() {
    return String.join(" ← ", ranks.stream().map(Arrows::rankText).toList());
  }

  private static String rankText(List<String> rank) {
    return rank.size() == 1 ? rank.getFirst() : "{ " + String.join(", ", rank) + " }";
  }
}
