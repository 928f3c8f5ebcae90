// Writes a comment, or edits one: one line until it is used.
import { Button, Group, Kbd } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { messageOf } from '../../../shared/api/errors.ts'
import { SAVE_KEYS } from '../../../ui/save-keys.ts'
import { MentionInput, useMentionables } from './mention-input.tsx'
import { toStored, toWritten } from './mention-text.ts'

interface CommentFormProps {
  label: string
  /** As the service keeps it. */
  initial?: string
  submit: string
  onSave(text: string): Promise<unknown>
  /** Of an edit; a new comment is emptied instead. */
  onClose?: () => void
}

/** What is written, and what becomes of it. */
function useCommentForm({
  initial = '',
  onSave,
  onClose,
}: Pick<CommentFormProps, 'initial' | 'onSave' | 'onClose'>) {
  const members = useMentionables()
  const [written, setWritten] = useState(() => toWritten(initial, members))
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>()
  const isBlank = written.trim() === ''
  const close = () => {
    setWritten('')
    setError(undefined)
    onClose?.()
  }
  const save = async () => {
    if (isBlank || isSaving) return
    setSaving(true)
    try {
      await onSave(toStored(written.trim(), members))
      close()
    } catch (refusal) {
      setError(refusal)
    } finally {
      setSaving(false)
    }
  }
  return { written, setWritten, isBlank, isSaving, error, close, save }
}

function Actions({
  form: { isBlank, isSaving, error, close },
  submit,
  isEdit,
}: {
  form: ReturnType<typeof useCommentForm>
  submit: string
  isEdit: boolean
}) {
  return (
    <Group justify="flex-end" gap="xs" mt={8}>
      {error !== undefined && (
        <span className="danger small grow" role="alert">
          {messageOf(error)}
        </span>
      )}
      <Button variant="default" onClick={close}>
        {isEdit ? 'Cancel' : 'Discard'}
      </Button>
      <Button
        type="submit"
        disabled={isBlank}
        loading={isSaving}
        rightSection={<Kbd size="xs">{SAVE_KEYS}</Kbd>}
      >
        {submit}
      </Button>
    </Group>
  )
}

export function CommentForm({ label, submit, ...rest }: CommentFormProps) {
  const form = useCommentForm(rest)
  const { written, setWritten, isBlank, close, save } = form
  const isEdit = rest.onClose !== undefined
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && (isEdit || isBlank)) close()
  }
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <MentionInput
        label={label}
        placeholder="Comment, and @mention members"
        value={written}
        onChange={setWritten}
        onKeyDown={onKeyDown}
        autoFocus={isEdit}
      />
      {(!isBlank || isEdit) && <Actions form={form} submit={submit} isEdit={isEdit} />}
    </form>
  )
}
