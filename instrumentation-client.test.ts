describe('instrumentation-client', () => {
  const createElement = Document.prototype.createElement;

  afterEach(() => {
    Document.prototype.createElement = createElement;
    document.head.replaceChildren();
    jest.resetModules();
  });

  function start(html: string): void {
    document.head.innerHTML = html;
    jest.isolateModules(() => {
      jest.requireActual('./instrumentation-client');
    });
  }

  it('never gives the nonce to a script element', () => {
    start('<script nonce="abc"></script>');
    expect(document.createElement('script').nonce).toBeFalsy();
  });

  it('gives the nonce of the page to each style element that is made', () => {
    start('<script nonce="abc"></script>');
    expect(document.createElement('style').nonce).toBe('abc');
    expect(document.createElement('STYLE').nonce).toBe('abc');
  });

  it('leaves elements alone on a page without a nonce', () => {
    start('');
    expect(document.createElement('style').nonce).toBeFalsy();
  });
});
