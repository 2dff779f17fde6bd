import { Head } from 'next/document';
import type { JSX } from 'react';

type Files = Parameters<Head['getScripts']>[0];
type Tag = JSX.Element & { props: { rel?: string; src?: string } };

/**
 * Next's head in an order that lets a browser read the page while its style sheets come: a script that stands in the
 * document itself waits for all sheets above it, and the whole body with it, so those go first. Nor is a sheet named
 * twice, once ahead and once for real on the next line.
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
