// Makes a square picture of 256 pixels of any that the browser can draw: small enough to be shown a hundred times.
const SIDE = 256
const QUALITY = 0.9

export class UnreadablePicture extends Error {
  override readonly name = 'UnreadablePicture'
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/**
 * Where a picture is drawn in the square. `cover`: the middle of it fills the square; `contain`: all of it is seen.
 * @param size in pixels
 */
export function placeIn(
  side: number,
  size: { width: number; height: number },
  fit: 'cover' | 'contain',
): Box {
  const [across, down] = [side / size.width, side / size.height]
  const scale = fit === 'cover' ? Math.max(across, down) : Math.min(across, down)
  const [width, height] = [size.width * scale, size.height * scale]
  return { x: (side - width) / 2, y: (side - height) / 2, width, height }
}

async function load(file: Blob): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    return image
  } catch {
    throw new UnreadablePicture(
      'This is no picture that the browser can read: choose a PNG, JPEG, GIF, WebP or AVIF',
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Drawings without a size of their own count as squares. */
const sizeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement) => ({
  width: naturalWidth || SIDE,
  height: naturalHeight || SIDE,
})

/** @throws UnreadablePicture */
export async function squarePicture(file: Blob, fit: 'cover' | 'contain'): Promise<File> {
  const image = await load(file)
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const context = canvas.getContext('2d')
  const { x, y, width, height } = placeIn(SIDE, sizeOf(image), fit)
  if (context) context.imageSmoothingQuality = 'high'
  context?.drawImage(image, x, y, width, height)
  // Browsers that cannot write WebP write PNG: the type says which.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY))
  if (!blob) throw new UnreadablePicture('This picture cannot be made smaller: choose another')
  return new File([blob], blob.type === 'image/webp' ? 'picture.webp' : 'picture.png', { type: blob.type })
}
