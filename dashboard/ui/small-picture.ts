// Scales any picture that the browser can draw to at most 256 pixels in height, so that a page can show a hundred.
const SIDE = 256
const WIDTH_MAX = 2 * SIDE
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

interface Drawing {
  /** Size of the result, in pixels. */
  width: number
  height: number
  /** The position and size of the picture in the result. */
  box: Box
}

/**
 * How a picture is scaled. `cover`: its middle fills a square. `contain`: the whole picture with its aspect ratio, at
 * most twice as wide as the square.
 * @param size in pixels
 */
export function drawingOf(size: { width: number; height: number }, fit: 'cover' | 'contain'): Drawing {
  const isWhole = fit === 'contain'
  const [across, down] = [(isWhole ? WIDTH_MAX : SIDE) / size.width, SIDE / size.height]
  const scale = isWhole ? Math.min(across, down) : Math.max(across, down)
  const [width, height] = [size.width * scale, size.height * scale]
  if (isWhole) {
    const whole = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
    return { ...whole, box: { x: 0, y: 0, ...whole } }
  }
  return { width: SIDE, height: SIDE, box: { x: (SIDE - width) / 2, y: (SIDE - height) / 2, width, height } }
}

async function load(file: Blob): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    return image
  } catch {
    throw new UnreadablePicture('The browser cannot read this picture: choose a PNG, JPEG, GIF, WebP or AVIF')
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Vector images without an intrinsic size count as squares. */
const sizeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement) => ({
  width: naturalWidth || SIDE,
  height: naturalHeight || SIDE,
})

/** @throws UnreadablePicture */
export async function smallPicture(file: Blob, fit: 'cover' | 'contain'): Promise<File> {
  const image = await load(file)
  const canvas = document.createElement('canvas')
  const { box, ...size } = drawingOf(sizeOf(image), fit)
  Object.assign(canvas, size)
  const context = canvas.getContext('2d')
  if (context) context.imageSmoothingQuality = 'high'
  context?.drawImage(image, box.x, box.y, box.width, box.height)
  // Browsers that cannot write WebP write PNG, as the type of the blob says.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY))
  if (!blob) throw new UnreadablePicture('This picture cannot be made smaller: choose another')
  return new File([blob], blob.type === 'image/webp' ? 'picture.webp' : 'picture.png', { type: blob.type })
}
