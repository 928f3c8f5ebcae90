// An input for text with templates, which are typed or picked from the readable values. A preview is shown below.
import { Text, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormPlace } from './form-context.ts'
import classes from './template-face.module.css'
import { TemplateFace } from './template-face.tsx'
import { type Preview, previewOf } from './template-preview.ts'
import { type Edit, hasTemplate, openedAt, type Range } from './template-text.ts'
import { useValuePicker, ValuePicker } from './value-picker.tsx'

export interface TemplateInputProps {
  value: string
  onChange(value: string): void
  label?: ReactNode
  'aria-label'?: string
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  placeholder?: string
  /** Whether the text has several lines. */
  isLong?: boolean
  isCode?: boolean
}

type Field = HTMLInputElement | HTMLTextAreaElement

const LACKS: Readonly<Record<NonNullable<Preview['lacks']>, string>> = {
  functions: ' before its functions: a test shows the result',
  unknown: ' … is known after a test',
}

function previewWords({ text, lacks }: Preview): ReactNode {
  if (lacks === 'unknown' && text === '…') return 'Known after a test'
  if (text === '' && !lacks) return 'Nothing in the example'
  return (
    <>
      Such as <q>{text}</q>
      {lacks && LACKS[lacks]}
    </>
  )
}

function PreviewLine({ id, text }: { id: string; text: string }) {
  const preview = previewOf(text, useFormPlace().scope)
  return (
    preview && (
      <Text id={id} className="breakable" mt={4} size="xs" c="dimmed">
        {previewWords(preview)}
      </Text>
    )
  )
}

const selectionOf = (field: Field | null, length: number): Range => ({
  start: field?.selectionStart ?? length,
  end: field?.selectionEnd ?? length,
})

/** Inserts picked values at the caret, and puts the caret after them. */
function useInsertion(field: RefObject<Field | null>, { value, onChange }: TemplateInputProps) {
  return {
    selection: () => selectionOf(field.current, value.length),
    change: onChange,
    focus: () => field.current?.focus(),
    // Synchronous, so that the next key press is inserted at the new caret.
    apply: ({ text, caret }: Edit) => {
      flushSync(() => onChange(text))
      field.current?.focus()
      field.current?.setSelectionRange(caret, caret)
    },
  }
}

/** Shows the readable overlay while the field is not edited, except for code. */
function useFace({ value, isLong = false, isCode = false }: TemplateInputProps) {
  const [isEdited, setEdited] = useState(false)
  const isShown = !isEdited && !isCode && hasTemplate(value)
  return {
    onFocus: () => setEdited(true),
    onBlur: () => setEdited(false),
    inputContainer: (input: ReactNode) => (
      <div className={classes.around}>
        {input}
        {isShown && <TemplateFace text={value} isLong={isLong} />}
      </div>
    ),
  }
}

export function TemplateInput(props: TemplateInputProps) {
  const { value, onChange, isLong = false, isCode = false, ...field } = props
  const ref = useRef<Field>(null)
  const previewId = useId()
  const { focus, ...insertion } = useInsertion(ref, props)
  const picker = useValuePicker({ text: value, ...insertion }, focus)
  const face = useFace(props)
  const change = ({ currentTarget }: { currentTarget: Field }) => {
    const caret = currentTarget.selectionStart ?? 0
    onChange(currentTarget.value)
    const isOpening =
      currentTarget.value.slice(0, caret).endsWith('{{') && currentTarget.value.length > value.length
    if (isOpening && openedAt(currentTarget.value, caret) !== undefined) picker.open()
  }
  const common = {
    ...field,
    ...face,
    value,
    onChange: change,
    autoComplete: 'off',
    spellCheck: !isCode,
    'aria-describedby': previewId,
    rightSection: <ValuePicker {...picker} text={value} selection={insertion.selection} />,
    styles: { section: { alignItems: 'flex-start', paddingTop: 4 } },
    ...(isCode && { classNames: { input: 'mono tiny' } }),
  }
  return (
    <div className="shrink">
      {isLong ? (
        <Textarea {...common} ref={ref as RefObject<HTMLTextAreaElement>} maxRows={12} />
      ) : (
        <TextInput {...common} ref={ref as RefObject<HTMLInputElement>} />
      )}
      {!isCode && <PreviewLine id={previewId} text={value} />}
    </div>
  )
}
