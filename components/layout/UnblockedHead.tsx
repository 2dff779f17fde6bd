import { Head } from 'next/document';
import type { JSX } from 'react';

type Files = Parameters<Head['getScripts']>[0];
type Tag = JSX.Element & { props: { rel?: string; src?: string } };

/**
 * Next's head in an order that lets a browser read the page while its style sheets load: an inline script waits for all
 * sheets above it, and the body waits for the script, so inline scripts come first. Each sheet is named once: Next's
 * preload line just above its own link is left out.
 */
export class UnblockedHead extends Head {
  override getCssLinks(files: Files): JSX.Element[] {
    const links: Tag[] = super.getCssLinks(files) ?? [];
    return [...this.scripts(files).filter(isInline), ...links.filter(({ props: { rel } }) => rel !== 'preload')];
  }

  override getScripts(files: Files): JSX.Element[] {
    return this.scripts(files).filter((script) => !isInline(script));
  }

  private scripts(files: Files): Tag[] {
    return super.getScripts(files);
  }
}

function isInline({ props: { src } }: Tag): boolean {
  return src === undefined;
}
