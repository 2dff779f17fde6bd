import { release } from '../release';
import { droppedTransaction, replayRates, replayValues, sentryValues } from './sentryValues';

describe('the values that the product specification fixes', () => {
  it('are: traces sample rate 1', () => {
    expect(sentryValues.tracesSampleRate).toBe(1);
  });

  it('are: replay on-error sample rate 1, replay session sample rate 0.1', () => {
    expect(replayRates).toEqual({ replaysOnErrorSampleRate: 1, replaysSessionSampleRate: 0.1 });
  });

  it('are: all text masked, all media blocked', () => {
    expect(replayValues).toMatchObject({ maskAllText: true, maskAllInputs: true, blockAllMedia: true });
  });

  it('are: environment production, debug off', () => {
    expect(sentryValues).toMatchObject({ environment: 'production', debug: false });
  });

  it('are: transactions of /404 are dropped', () => {
    expect(droppedTransaction).toBe('/404');
  });
});

describe('what is collected without being asked for', () => {
  it('is nothing, each kind by its name', () => {
    expect(sentryValues.dataCollection).toEqual({
      userInfo: false,
      cookies: false,
      httpHeaders: { request: false, response: false },
      httpBodies: [],
      urlQueryParams: false,
      databaseQueryData: false,
      stackFrameVariables: false,
      frameContextLines: 0,
      queues: false,
      graphQL: { document: false, variables: false },
      genAI: { inputs: false, outputs: false },
    });
    expect(sentryValues.tracePropagationTargets).toEqual([]);
  });

  it('hide in a replay what is drawn, what a screen reader reads and what calls carry', () => {
    expect(replayValues.block).toEqual(['canvas', 'svg', '[data-phi]']);
    expect(replayValues.maskAttributes).toEqual(
      expect.arrayContaining(['title', 'aria-label', 'alt', 'placeholder', 'value']),
    );
    expect(replayValues).toMatchObject({ networkDetailAllowUrls: [], networkCaptureBodies: false });
  });

  it('name the release', () => {
    expect(sentryValues.release).toBe(release);
  });
});
