// A place that files are dropped on, anywhere in it.
import { type DragEvent, useEffect, useState } from 'react'

const holdsFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) =>
  dataTransfer?.types.includes('Files') ?? false

/** A file that misses its place must not take the whole page with it: browsers would open it. */
function keepPage(event: globalThis.DragEvent): void {
  if (holdsFiles(event)) event.preventDefault()
}

function useKeptPage(): void {
  useEffect(() => {
    addEventListener('dragover', keepPage)
    addEventListener('drop', keepPage)
    return () => {
      removeEventListener('dragover', keepPage)
      removeEventListener('drop', keepPage)
    }
  }, [])
}

/** Folders come as files of no type and odd sizes that cannot be read. */
function filesOf({ items, files }: DataTransfer): File[] {
  const isFolder = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry()?.isDirectory ?? false)
  return [...files].filter((_, index) => !isFolder[index])
}

/**
 * Places may lie in each other: the innermost takes the files.
 * @param onFiles undefined: nothing may be dropped now
 */
export function useFileDrop(onFiles: ((files: File[]) => void) | undefined) {
  const [isOver, setOver] = useState(false)
  useKeptPage()
  const take = (event: DragEvent) => {
    if (!onFiles || !holdsFiles(event)) return false
    if (event.defaultPrevented) {
      // A place in this one has taken it.
      setOver(false)
      return false
    }
    event.preventDefault()
    return true
  }
  const over = (event: DragEvent) => {
    if (take(event)) setOver(true)
  }
  return {
    isOver,
    place: {
      onDragEnter: over,
      onDragOver: over,
      onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
      },
      onDrop(event: DragEvent) {
        if (!take(event)) return
        setOver(false)
        const files = filesOf(event.dataTransfer)
        if (files.length > 0) onFiles?.(files)
      },
    },
  }
}
