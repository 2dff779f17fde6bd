import { getOrAdd } from '../../lib/getOrAdd';
import { formatSparkMinute, sparkKinds, sparkMinutes, type SparkKind } from '../../lib/vitals/spark';
import { isKindCode, kindOfCode } from '../../lib/vitals/kinds';
import { seriesKey } from './sample';
import type { Rollup } from './rollUp';

/** One kind of one patient: a ring with a place for each minute of an hour. */
interface Course {
  /** The minute after the newest one in it. */
  until: number;
  texts: string[];
}

/**
 * The closed minutes of the last hour for spark lines, in memory, so that a list of hundreds of patients reads no rows.
 * Changes when a minute is closed or redone.
 */
export class RecentMinutes {
  private readonly courses = new Map<number, Course>();

  /**
   * Sets an epoch minute, in place of what was known of it. Ignores kinds that no list draws, and minutes older than an
   * hour.
   */
  put({ patientId, kind, minute, rollup }: { patientId: number; kind: number; minute: number; rollup: Rollup }): void {
    if (!isKindCode(kind)) {
      return;
    }
    const name = kindOfCode(kind);
    if (!isDrawn(name)) {
      return;
    }
    const begin = (): Course => ({ until: minute, texts: noMinutes.slice() });
    const course = getOrAdd(this.courses, seriesKey(patientId, kind), begin);
    if (minute < course.until - sparkMinutes) {
      return;
    }
    for (let skipped = Math.max(course.until, minute - sparkMinutes); skipped < minute; skipped += 1) {
      course.texts[skipped % sparkMinutes] = '';
    }
    course.until = Math.max(course.until, minute + 1);
    course.texts[minute % sparkMinutes] = formatSparkMinute(name, rollup);
  }

  /** Forgets everything: what a clock that was ahead put in would take the place of the present minutes. */
  forget(): void {
    this.courses.clear();
  }

  /** Returns the minutes from an epoch minute on, oldest first; "" for an unknown one. */
  read(patientId: number, kind: number, from: number): string[] {
    const texts = noMinutes.slice();
    const course = this.courses.get(seriesKey(patientId, kind));
    if (course !== undefined) {
      const last = Math.min(from + sparkMinutes, course.until);
      // A plain loop: a ward's page reads sixty thousand of them at once.
      for (let minute = Math.max(from, course.until - sparkMinutes); minute < last; minute += 1) {
        texts[minute - from] = course.texts[minute % sparkMinutes] ?? '';
      }
    }
    return texts;
  }
}

const noMinutes: readonly string[] = Array.from({ length: sparkMinutes }, () => '');

function isDrawn(kind: string): kind is SparkKind {
  return sparkKinds.some((drawn) => drawn === kind);
}
