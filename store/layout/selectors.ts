import type { LayoutState } from './reducer';

export function selectCollapsed({ layout }: { layout: LayoutState }): boolean {
  return layout.collapsed;
}
