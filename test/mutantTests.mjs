// Started by test/mutants.ts in a copy of the project: runs the test files it is sent, one list after another, because
// to start jest costs more than most test files do. Answers which failed first, and how much memory it holds.
import { runCLI } from 'jest';
import { relative } from 'node:path';

process.once('disconnect', () => process.exit(0));
process.on('message', (files) => void answer(files));

async function answer(files) {
  // What waits for ever with a mutant waits for this long.
  const options = { runTestsByPath: true, runInBand: true, reporters: [], watchman: false, testTimeout: 180_000 };
  const { results } = await runCLI({ $0: 'jest', _: files, ...options }, [process.cwd()]);
  const failed = results.testResults.filter(({ failureMessage }) => failureMessage);
  process.send({
    ran: results.testResults.length,
    failed: failed.map(({ testFilePath }) => relative(process.cwd(), testFilePath)),
    bytes: process.memoryUsage().rss,
  });
}
