/** Larger than what the server keeps, so that it has something to choose from. */
const edge = 512;

/**
 * Takes a file that somebody chose and returns its middle as a small PNG, so that a photograph of any size may be
 * chosen and nothing of it but pixels leaves the browser; null where the browser can show no picture of it.
 */
export async function shrinkPicture(file: File): Promise<(Blob & { type: 'image/png' }) | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const side = Math.min(bitmap.width, bitmap.height);
    const canvas = document.createElement('canvas');
    canvas.width = edge;
    canvas.height = edge;
    canvas
      .getContext('2d')
      ?.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, edge, edge);
    bitmap.close();
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    return blob !== null && isPng(blob) ? blob : null;
  } catch {
    return null;
  }
}

function isPng(blob: Blob): blob is Blob & { type: 'image/png' } {
  return blob.type === 'image/png';
}
