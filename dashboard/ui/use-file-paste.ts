// Files that are pasted: a picture of the screen, most often.
import { useEffect, useRef } from 'react'

type Take = (files: File[]) => void

/** Who takes what is pasted; the one that was opened last does. */
const takers: { current: Take }[] = []

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName))

const two = (number: number) => String(number).padStart(2, '0')

/** Browsers call every picture image.png. */
function named(file: File, now: Date): File {
  if (file.name !== 'image.png') return file
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.')
  return new File([file], `Pasted ${day} at ${time}.png`, { type: file.type })
}

function onPaste(event: ClipboardEvent): void {
  const { clipboardData, target } = event
  const files = [...(clipboardData?.files ?? [])]
  // Cells of a spreadsheet are copied as text and as a picture: who writes wants the text.
  const isText = isWriting(target) && clipboardData?.types.includes('text/plain')
  if (files.length === 0 || isText) return
  event.preventDefault()
  takers.at(-1)?.current(files.map((file) => named(file, new Date())))
}

/** @param take undefined: nothing is taken now */
export function useFilePaste(take: Take | undefined): void {
  const latest = useRef<Take>(() => undefined)
  useEffect(() => {
    latest.current = take ?? (() => undefined)
  })
  const isTaking = take !== undefined
  useEffect(() => {
    if (!isTaking) return
    takers.push(latest)
    if (takers.length === 1) addEventListener('paste', onPaste)
    return () => {
      takers.splice(takers.indexOf(latest), 1)
      if (takers.length === 0) removeEventListener('paste', onPaste)
    }
  }, [isTaking])
}
