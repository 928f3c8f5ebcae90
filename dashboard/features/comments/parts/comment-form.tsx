// Writes a comment, or edits one: one line until it is used.
import { Button, Group, Kbd } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { messageOf } from '../../../shared/api/errors.ts'
import { DraftForm } from '../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../shared/drafts/use-draft.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { SAVE_KEYS } from '../../../ui/save-keys.ts'
import { MentionInput, useMentionables } from './mention-input.tsx'
import { toStored, toWritten } from './mention-text.ts'

interface CommentFormProps {
  /** What a draft of it belongs to: the record, or the comment that is edited. */
  place: string
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
  place,
  initial = '',
  onSave,
  onClose,
}: Pick<CommentFormProps, 'place' | 'initial' | 'onSave' | 'onClose'>) {
  const members = useMentionables()
  const draft = useDraft(`comment ${place}`, () => ({ written: toWritten(initial, members) }))
  const { written } = draft.value
  const isBlank = written.trim() === ''
  const close = () => {
    draft.reset()
    forget()
    onClose?.()
  }
  const { submit, isBusy, error, forget } = useSubmit(async () => {
    const sent = draft.value
    await onSave(toStored(sent.written.trim(), members))
    // What was written in the meantime stays, or is offered when the comment is edited again.
    draft.settle(draft.initial, sent)
    onClose?.()
  })
  const save = async () => isBlank || isBusy || submit(undefined)
  return { draft, written, isBlank, isBusy, error, close, save }
}

function Actions({
  form: { isBlank, isBusy, error, close },
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
        loading={isBusy}
        rightSection={<Kbd size="xs">{SAVE_KEYS}</Kbd>}
      >
        {submit}
      </Button>
    </Group>
  )
}

export function CommentForm({ label, submit, ...rest }: CommentFormProps) {
  const form = useCommentForm(rest)
  const { draft, written, isBlank, close, save } = form
  const isEdit = rest.onClose !== undefined
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // What was written is kept as a draft.
    if (isEdit) rest.onClose?.()
    else if (isBlank) close()
  }
  return (
    <DraftForm draft={draft} aria-label={label} onSubmit={save}>
      <div>
        <MentionInput
          label={label}
          placeholder="Comment, and @mention members"
          value={written}
          onChange={(text) => draft.change({ written: text })}
          onKeyDown={onKeyDown}
          autoFocus={isEdit}
        />
        {(!isBlank || isEdit) && <Actions form={form} submit={submit} isEdit={isEdit} />}
      </div>
    </DraftForm>
  )
}
