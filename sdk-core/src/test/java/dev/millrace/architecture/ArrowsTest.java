package dev.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.architecture.fixture.left.Left;
import dev.millrace.architecture.fixture.peer.Peer;
import dev.millrace.architecture.fixture.right.Right;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArrowsTest {
  private static final String BASE = "dev.millrace.architecture.fixture";
  private static final JavaClasses CLASSES =
      new ClassFileImporter().importClasses(Left.class, Right.class, Peer.class);

  @Test
  void acceptsImportsOfEarlierPackages() {
    assertThat(violations(List.of(List.of("left"), List.of("right"), List.of("peer")))).isEmpty();
  }

  @Test
  void reportsAnImportOfALaterPackageWithBothNames() {
    assertThat(violations(List.of(List.of("right"), List.of("left"), List.of("peer"))))
        .singleElement()
        .asString()
        .contains(Right.class.getName(), Left.class.getName(), "right ← left ← peer");
  }

  @Test
  void reportsPeersThatSeeEachOther() {
    assertThat(violations(List.of(List.of("left"), List.of("right", "peer"))))
        .singleElement()
        .asString()
        .contains(Peer.class.getName(), "left ← { right, peer }");
  }

  @Test
  void reportsAPackageWithoutAPlace() {
    assertThat(violations(List.of(List.of("left"), List.of("right"))))
        .singleElement()
        .asString()
        .startsWith(BASE + ".peer has no place");
  }

  @Test
  void takesAllPackagesBelowANameThatEndsInDots() {
    List<List<String>> ranks = List.of(List.of("left.."), List.of("right.."), List.of("peer.."));
    assertThat(violations(ranks)).isEmpty();
  }

  @Test
  void letsAnExemptedImportPass() {
    Exemption exemption = new Exemption("Right", "Left", "the fixture is built that way");
    List<List<String>> ranks = List.of(List.of("right"), List.of("left"), List.of("peer"));
    assertThat(new Arrows(BASE, ranks, List.of(exemption)).violations(CLASSES)).isEmpty();
  }

  @Test
  void refusesAnExemptionWithoutAReason() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Exemption("Right", "Left", " "))
        .withMessageContaining("from=Right to=Left");
  }

  private static List<String> violations(List<List<String>> ranks) {
    return new Arrows(BASE, ranks, List.of()).violations(CLASSES);
  }
}
