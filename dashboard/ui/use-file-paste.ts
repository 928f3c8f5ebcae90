// Handles pasted files, mostly screenshots.
import { useEffect, useRef } from 'react'

type Take = (files: File[]) => void

/** Handlers for pasted files. The one that was added last is used. */
const takers: { current: Take }[] = []

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName))

const two = (number: number) => String(number).padStart(2, '0')

/** Browsers name every pasted picture image.png. */
function named(file: File, now: Date): File {
  if (file.name !== 'image.png') return file
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.')
  return new File([file], `Pasted ${day} at ${time}.png`, { type: file.type })
}

function onPaste(event: ClipboardEvent): void {
  const { clipboardData, target } = event
  const files = [...(clipboardData?.files ?? [])]
  // Spreadsheet cells are copied as text and as a picture. In a text field, the text is pasted.
  const isText = isWriting(target) && clipboardData?.types.includes('text/plain')
  if (files.length === 0 || isText) return
  event.preventDefault()
  takers.at(-1)?.current(files.map((file) => named(file, new Date())))
}

/** @param take undefined while files cannot be pasted */
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
