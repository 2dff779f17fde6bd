import { alertIdOf, alertMessage, alertText } from './alertMessage';

describe('the message that takes an alert into the chat', () => {
  it('holds the number of the alert and nothing else', () => {
    expect(alertMessage('m-1', 123)).toEqual({
      id: 'm-1',
      text: 'Alert 123 (open Wardlight to see it)',
      attachments: [{ type: 'wardlight_alert', alertId: 123 }],
    });
  });

  it('is known by its attachment', () => {
    expect(alertIdOf(alertMessage('m-1', 123).attachments[0])).toBe(123);
    expect(alertText(7)).toContain('7');
  });

  it.each([
    null,
    'wardlight_alert',
    {},
    { type: 'image', alertId: 4 },
    { type: 'wardlight_alert' },
    { type: 'wardlight_alert', alertId: '4' },
    { type: 'wardlight_alert', alertId: 0 },
    { type: 'wardlight_alert', alertId: 1.5 },
  ])('is none of ours with %j', (attachment) => {
    expect(alertIdOf(attachment)).toBeNull();
  });
});
