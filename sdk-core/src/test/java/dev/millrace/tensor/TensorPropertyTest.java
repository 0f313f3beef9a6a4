package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Random sequences of what can be done with the tensors of one memory, against plain arrays. */
class TensorPropertyTest {
  private static final List<DataType> TYPES = List.of(DataType.values());

  @Test
  void tensorsAndViewsOfOneMemoryBehaveLikeOneArray(TestInfo info) {
    Seeds.of(info)
        .forEach(
            400,
            random -> {
              World world = new World(random);
              for (int step = 0; step < 60; step++) {
                world.step();
              }
              world.end();
            });
  }

  /** The tensors and, beside them, what a reader of the documentation expects. */
  private static final class World {
    private final SplittableRandom random;
    private final DataType type;
    private final TestMemory memory;
    private final byte[] content;
    private final long elements;
    private final List<Member> members = new ArrayList<>();

    /** A tensor, and what should be true of it. */
    private static final class Member {
      final Tensor tensor;
      final Shape shape;
      boolean open = true;
      int holds;

      Member(Tensor tensor, Shape shape) {
        this.tensor = tensor;
        this.shape = shape;
      }

      boolean keepsMemory() {
        return open || holds > 0;
      }
    }

    World(SplittableRandom random) {
      this.random = random;
      type = TYPES.get(random.nextInt(TYPES.size()));
      Shape shape = Shape.of(random.nextInt(4), 1 + random.nextInt(6), random.nextInt(1, 4));
      elements = shape.elements();
      content = new byte[(int) type.byteSize(elements)];
      // Sometimes a larger block, as an allocator with size classes gives.
      memory = TestMemory.host(content.length + (random.nextBoolean() ? 0 : 64));
      members.add(new Member(Tensor.of(memory, type, shape), shape));
    }

    void step() {
      Member member = members.get(random.nextInt(members.size()));
      switch (random.nextInt(8)) {
        case 0, 1 -> write(member);
        case 2, 3 -> read(member);
        case 4 -> view(member);
        case 5 -> retain(member);
        case 6 -> release(member);
        default -> close(member);
      }
      boolean kept = members.stream().anyMatch(Member::keepsMemory);
      assertThat(memory.freed()).isEqualTo(kept ? 0 : 1);
      assertThat(member.tensor.isClosed()).isEqualTo(!member.open);
      assertThat(member.tensor.shape()).isEqualTo(member.shape);
    }

    private void write(Member member) {
      byte[] bytes = new byte[content.length];
      random.nextBytes(bytes);
      if (!member.open) {
        assertThatIllegalStateException()
            .isThrownBy(() -> member.tensor.write(MemorySegment.ofArray(bytes)));
        return;
      }
      member.tensor.write(MemorySegment.ofArray(bytes));
      System.arraycopy(bytes, 0, content, 0, bytes.length);
    }

    private void read(Member member) {
      byte[] bytes = new byte[content.length];
      if (!member.open) {
        assertThatIllegalStateException()
            .isThrownBy(() -> member.tensor.read(MemorySegment.ofArray(bytes)));
        return;
      }
      member.tensor.read(MemorySegment.ofArray(bytes));
      assertThat(bytes).isEqualTo(content);
      assertThat(member.tensor.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
    }

    private void view(Member member) {
      Shape shape = random.nextBoolean() ? Shape.of(elements) : Shape.of(1, elements, 1);
      Shape wrong = Shape.of(elements + 1);
      if (!member.open) {
        assertThatIllegalStateException().isThrownBy(() -> member.tensor.view(shape));
        return;
      }
      assertThatIllegalArgumentException().isThrownBy(() -> member.tensor.view(wrong));
      if (members.size() < 6) {
        members.add(new Member(member.tensor.view(shape), shape));
      }
    }

    private void retain(Member member) {
      if (!member.open) {
        assertThatIllegalStateException().isThrownBy(member.tensor::retain);
        return;
      }
      member.tensor.retain();
      member.holds++;
    }

    private void release(Member member) {
      if (member.holds > 0) {
        assertThat(member.tensor.heldMemory()).isSameAs(memory);
        member.tensor.release();
        member.holds--;
      } else if (!member.open) {
        assertThatIllegalStateException().isThrownBy(member.tensor::release);
      }
    }

    private void close(Member member) {
      member.tensor.close();
      member.open = false;
    }

    void end() {
      for (Member member : members) {
        close(member);
        while (member.holds > 0) {
          release(member);
        }
      }
      assertThat(memory.freed()).isOne();
    }
  }
}
