import { act } from '@testing-library/react';
import axe, { type Result } from 'axe-core';

// jsdom takes long to write the HTML of each element that a rule has looked at. A selector names those that break one.
axe.configure({ noHtml: true });

/**
 * Returns the accessibility rules that an element breaks. jsdom paints nothing: a real browser checks contrast and the
 * rules named in `except`. antd's forms render again a moment after their errors appear, so axe runs in act().
 */
export async function axeViolations(element: Element, ...except: string[]): Promise<Result[]> {
  const rules = Object.fromEntries(['color-contrast', ...except].map((rule) => [rule, { enabled: false }]));
  return (await act(() => axe.run(element, { rules, resultTypes: ['violations'] }))).violations;
}
