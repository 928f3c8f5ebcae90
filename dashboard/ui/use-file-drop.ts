// A drop target for files.
import { type DragEvent, useEffect, useState } from 'react'

const holdsFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) =>
  dataTransfer?.types.includes('Files') ?? false

/** Browsers would open a file that misses the drop target, and so replace the page. */
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

/** Browsers list folders as files without a type that cannot be read. They are left out. */
function filesOf({ items, files }: DataTransfer): File[] {
  const isFolder = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry()?.isDirectory ?? false)
  return [...files].filter((_, index) => !isFolder[index])
}

/**
 * Drop targets can be nested: the innermost one takes the files.
 * @param onFiles undefined while files cannot be dropped
 */
export function useFileDrop(onFiles: ((files: File[]) => void) | undefined) {
  const [isOver, setOver] = useState(false)
  useKeptPage()
  const take = (event: DragEvent) => {
    if (!onFiles || !holdsFiles(event)) return false
    if (event.defaultPrevented) {
      // A nested drop target has taken the files.
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
