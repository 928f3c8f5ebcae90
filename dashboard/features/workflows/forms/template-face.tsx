// A readable overlay for a text with templates while it is not edited: shows names of values instead of templates.
import { templateWords } from '../canvas/value-words.ts'
import { useFormPlace } from './form-context.ts'
import classes from './template-face.module.css'
import { callNames, readBy, templatesIn } from './template-text.ts'
import { labelOfValue, type ValueGroup } from './visible-values.ts'

/** `This deal › Owner`, followed by the names of functions. */
function faceWords(inner: string, values: readonly ValueGroup[]): string {
  const expression = readBy(inner)
  const words = labelOfValue(values, expression) ?? templateWords(expression)
  return [words, ...callNames(inner)].join(' · ')
}

interface FacePart {
  at: number
  text: string
  isValue: boolean
}

/** Splits the text into plain parts and values. */
function facePartsOf(text: string, values: readonly ValueGroup[]): FacePart[] {
  const parts: FacePart[] = []
  let at = 0
  for (const { start, end, inner } of templatesIn(text)) {
    if (start > at) parts.push({ at, text: text.slice(at, start), isValue: false })
    parts.push({ at: start, text: faceWords(inner, values), isValue: true })
    at = end
  }
  return at < text.length ? [...parts, { at, text: text.slice(at), isValue: false }] : parts
}

/** Covers the field. Clicks pass through to the field. */
export function TemplateFace({ text, isLong }: { text: string; isLong: boolean }) {
  const { values } = useFormPlace()
  return (
    <div className={classes.face} data-long={isLong || undefined} aria-hidden>
      {facePartsOf(text, values).map((part) =>
        part.isValue ? (
          <span key={part.at} className={classes.value} title={part.text}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </div>
  )
}
