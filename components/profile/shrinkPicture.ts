/** Pixels of each edge: more than the server keeps (`pictureEdge`), so that it can scale the picture down. */
const edge = 512;

/**
 * Returns the middle of a chosen file as a small PNG; null if the browser cannot show the file as a picture. So a
 * photograph of any size can be chosen, and only its pixels leave the browser.
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
