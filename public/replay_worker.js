// Compresses the session replay of Sentry's SDK off the page's thread. It speaks that SDK's protocol: clear, addEvent
// and finish, each with an id that its response repeats.

let events = [];

/** Records the page's own address without a query and without the secret of an invitation's link. */
function withoutQuery(text) {
  if (!text.includes('"href":"http')) {
    return text;
  }
  const event = JSON.parse(text);
  // 4: what rrweb calls Meta.
  if (event.type === 4) {
    event.data.href = event.data.href.replace(/[?#].*$/s, '');
  }
  return JSON.stringify(event);
}

async function compress(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function answer({ id, method, arg }) {
  switch (method) {
    case 'addEvent':
      events.push(withoutQuery(arg));
      return undefined;
    case 'finish':
      return await compress(`[${events.splice(0).join(',')}]`);
    case 'clear':
      events = [];
      return undefined;
    default:
      throw new Error(`unknown method, call ${id}`);
  }
}

self.addEventListener('message', ({ data }) => {
  const { id, method } = data;
  answer(data).then(
    (response) => self.postMessage({ id, method, success: true, response }),
    () => self.postMessage({ id, method, success: false, response: undefined }),
  );
});

// A browser that cannot compress records nothing: the server refuses an uncompressed recording.
const success = typeof CompressionStream === 'function';
self.postMessage({ id: undefined, method: 'init', success, response: undefined });
