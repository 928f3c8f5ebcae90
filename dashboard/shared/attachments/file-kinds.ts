// The kind of a file, by its type: whether it can be shown, and its icon.
import {
  File,
  FileArchive,
  FileAudio,
  FileCode,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
} from 'lucide-react'

/** Image types that the service serves inline (docs/guide/files.md). It serves other types as downloads. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

const essence = (type: string) => (type.split(';')[0] ?? '').trim().toLowerCase()

const isPicture = (type: string): boolean => PICTURES.includes(essence(type))

/** A thumbnail is the full picture, scaled down by the browser: larger files are not worth the download. */
const THUMBNAIL_BYTES_MAX = 2 * 1024 * 1024

export const hasThumbnail = (type: string, bytes: number): boolean =>
  isPicture(type) && bytes <= THUMBNAIL_BYTES_MAX

/** Whether a browser shows the file when its address is opened. */
export const isShown = (type: string): boolean => isPicture(type) || essence(type) === 'application/pdf'

const ICONS: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^image\//, FileImage],
  [/^video\//, FileVideo],
  [/^audio\//, FileAudio],
  [/spreadsheet|excel|csv|tab-separated/, FileSpreadsheet],
  [/zip|compressed|tar$|gzip/, FileArchive],
  [/json|xml|html|javascript|x-sh/, FileCode],
  [/^text\/|pdf|document|msword|rtf/, FileText],
]

export const fileIcon = (type: string): LucideIcon =>
  ICONS.find(([pattern]) => pattern.test(essence(type)))?.[1] ?? File
