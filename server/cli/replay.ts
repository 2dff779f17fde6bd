import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeRecording } from '../replay/describeRecording';
import { fastestSpeed, planFeed, type Feed } from '../replay/feed';
import { readRecording } from '../replay/readRecording';
import { helpText } from '../replay/helpText';
import { parseReplayOptions, type ReplayOptions } from '../replay/parseReplayOptions';
import { play } from '../replay/play';
import { UnreadableRecording } from '../replay/recording';
import { countRejected, summaryLines } from '../replay/totals';
import { UsageError } from '../replay/UsageError';
import { runSender, type SenderTools } from './runSender';

/** Reads and describes every recording, and plans when to send it. Throws UsageError if one cannot be played. */
function planFeeds(options: ReplayOptions, say: SenderTools['say']): Feed[] {
  // npm starts commands in the project's folder. INIT_CWD is the folder in which the user typed the path.
  const folder = process.env.INIT_CWD ?? process.cwd();
  const feeds: Feed[] = [];
  for (const { path, mrn } of options.files) {
    const recording = readFile(resolve(folder, path), path, options);
    describeRecording(path, mrn, recording).forEach(say);
    const feed = planFeed(mrn, recording, options);
    if (feed === null) {
      continue;
    }
    const fastest = fastestSpeed(feed.samples);
    if (options.speed > fastest) {
      throw new UsageError(
        `--speed ${options.speed}: above ${fastest} values of ${path} would share a time; ` +
          '--speed max keeps their times',
      );
    }
    feeds.push(feed);
  }
  return feeds;
}

function readFile(path: string, name: string, options: ReplayOptions): ReturnType<typeof readRecording> {
  try {
    return readRecording(readFileSync(path, 'utf8'), options);
  } catch (failure) {
    if (failure instanceof UnreadableRecording) {
      throw new UsageError(`${name} ${failure.message}`);
    }
    if (failure instanceof Error && 'code' in failure) {
      throw new UsageError(`${name} cannot be read (${String(failure.code)})`);
    }
    throw failure;
  }
}

/** Returns the exit code. */
async function replay({ clock, say, stoppable }: SenderTools): Promise<0 | 1> {
  const options = parseReplayOptions(process.argv.slice(2), process.env, Date.now());
  if (options === 'help') {
    process.stdout.write(helpText);
    return 0;
  }
  const feeds = planFeeds(options, say);
  if (feeds.length === 0) {
    say('There is nothing to play');
    return 1;
  }
  if (options.target === null) {
    return 0;
  }
  const { totals, completed } = await play(feeds, options.target, clock, stoppable(), say);
  summaryLines(totals).forEach(say);
  return completed && countRejected(totals) === 0 ? 0 : 1;
}

runSender('replay', replay);
