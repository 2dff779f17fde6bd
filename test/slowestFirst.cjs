const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The files that take longest, the longest first. Jest guesses by the size of a file where it knows no times, as on a
 * fresh clone: it began the kills of the server last, and one processor waited for half a minute.
 */
const slow = [
  'server/alerts/crash.test.ts',
  'server/alerts/stored.test.ts',
  'server/hl7/hl7.test.ts',
  'server/http/access.test.ts',
  'server/vitals/readings.test.ts',
  'server/audit/audit.test.ts',
  'server/clock/clockWatch.test.ts',
  'server/demo/demo.test.ts',
  'server/alerts/history.test.ts',
  'server/ingest/record.property.test.ts',
];

/** Orders the test files as jest does, but for those that are known to be slow, which come first. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const rank = slow.findIndex((name) => path.endsWith(`/${name}`));
      return rank === -1 ? slow.length : rank;
    };
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
};
