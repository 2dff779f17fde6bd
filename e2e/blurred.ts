import type { Page } from '@playwright/test';

/** A row or a tile of the page, and whether it has an alert that no one has. */
interface Place {
  left: number;
  top: number;
  right: number;
  bottom: number;
  isAlerting: boolean;
}

interface Blurred {
  /** The places with an alert that no one has. */
  alerting: number[];
  /** The places where something is in an alarm colour. */
  inColour: number[];
  /** The place with the strongest colour of the screen. */
  strongest: number;
}

/**
 * Returns which rows or tiles stand out to an eye that reads nothing: the screen as Chromium's `blurredVision` shows
 * it, and the hues of the alarm colours with a saturation over 0.5 (screens.md section 1).
 */
export async function blurred(page: Page, selector: string): Promise<Blurred> {
  const places = await page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((element) => element.getBoundingClientRect().bottom <= window.innerHeight)
      .map((element): Place => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return { left, top, right, bottom, isAlerting: element.querySelector('[data-mark="filled"]') !== null };
      }),
  );
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setEmulatedVisionDeficiency', { type: 'blurredVision' });
  const picture = (await page.screenshot()).toString('base64');
  await session.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
  // The policy of the page itself lets it read no picture.
  const reader = await page.context().newPage();
  const found = await reader.evaluate(readPicture, { picture, places });
  await reader.close();
  const alerting = places.flatMap(({ isAlerting }, index) => (isAlerting ? [index] : []));
  return { alerting, ...found };
}

async function readPicture({ picture, places }: { picture: string; places: Place[] }) {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(image, 0, 0);
  const data = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
  const isAlarm = (hue: number): boolean =>
    hue >= 345 || hue <= 15 || (hue >= 45 && hue <= 60) || (hue >= 180 && hue <= 195);
  const pixels = places.map(() => 0);
  let strongest = { chroma: 0, place: -1 };
  for (const [index, { left, top, right, bottom }] of places.entries()) {
    for (let y = Math.ceil(top); y < Math.floor(bottom); y += 2) {
      for (let x = Math.ceil(left); x < Math.floor(right); x += 2) {
        const at = (y * width + x) * 4;
        const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
        const most = Math.max(red, green, blue);
        const chroma = most - Math.min(red, green, blue);
        if (chroma > strongest.chroma) {
          strongest = { chroma, place: index };
        }
        // Near black every colour is saturated.
        if (chroma / most > 0.5 && chroma > 64) {
          const turn =
            most === red
              ? (green - blue) / chroma
              : most === green
                ? 2 + (blue - red) / chroma
                : 4 + (red - green) / chroma;
          if (isAlarm((turn * 60 + 360) % 360)) {
            pixels[index] = (pixels[index] ?? 0) + 1;
          }
        }
      }
    }
  }
  // Of every second line and column. The least that can be an area: 6 x 6 pixels.
  return { inColour: pixels.flatMap((count, index) => (count >= 9 ? [index] : [])), strongest: strongest.place };
}
