import { dirname, join } from 'node:path';
import { describeRecording } from '../replay/describeRecording';
import { fastestSpeed, planFeed, type Feed } from '../replay/feed';
import { readRecording } from '../replay/readRecording';
import { decodeText } from '../replay/readTable';
import { helpText } from '../replay/helpText';
import { parseReplayOptions, type ReplayOptions } from '../replay/parseReplayOptions';
import { play } from '../replay/play';
import { UnreadableRecording } from '../replay/recording';
import { countRejected, summaryLines } from '../replay/totals';
import { readUserFile } from './readUserFile';
import { runSender, type SenderTools } from './runSender';
import { UsageError } from './UsageError';

/** Reads and describes every recording, and plans when to send it. Throws UsageError if one cannot be played. */
function planFeeds(options: ReplayOptions, say: SenderTools['say']): Feed[] {
  const feeds: Feed[] = [];
  for (const { path, mrn } of options.files) {
    const recording = readFile(path, options);
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

function readFile(path: string, options: ReplayOptions): ReturnType<typeof readRecording> {
  const text = decodeText(readUserFile(path));
  try {
    return readRecording(text, { ...options, readBeside: (name) => readUserFile(join(dirname(path), name)) });
  } catch (failure) {
    throw failure instanceof UnreadableRecording ? new UsageError(`${path} ${failure.message}`) : failure;
  }
}

/** Returns the exit code. */
async function replay({ clock, say, stoppable }: SenderTools): Promise<0 | 1> {
  const options = parseReplayOptions(process.argv.slice(2), process.env, Date.now());
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

runSender('replay', helpText, replay);
