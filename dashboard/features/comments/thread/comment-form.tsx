// Writes a comment, or edits one: one line until it is used.

import { Button, Group } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { messageOf } from '../../../shared/api/errors.ts'
import { Form, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
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
  const form = useDataForm({
    draft: `comment ${place}`,
    initial: () => ({ written: toWritten(initial, members) }),
    async save(sent, { before, settle }) {
      await onSave(toStored(sent.written.trim(), members))
      // What was written in the meantime stays, or is offered when the comment is edited again.
      settle(before, sent)
      onClose?.()
    },
  })
  const isBlank = form.values.written.trim() === ''
  const close = () => {
    form.reset()
    form.clearError()
    onClose?.()
  }
  const submit = async () => !isBlank && !form.isBusy && form.submit()
  return { ...form, submit, isBlank, close }
}

function Actions({
  form,
  verb,
  isEdit,
}: {
  form: ReturnType<typeof useCommentForm>
  verb: string
  isEdit: boolean
}) {
  const { isBlank, error, close } = form
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
      <SubmitButton form={form} isReady={!isBlank} hasKeys>
        {verb}
      </SubmitButton>
    </Group>
  )
}

export function CommentForm({ label, submit, ...rest }: CommentFormProps) {
  const form = useCommentForm(rest)
  const { isBlank, close } = form
  const isEdit = rest.onClose !== undefined
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // What was written is kept as a draft.
    if (isEdit) rest.onClose?.()
    else if (isBlank) close()
  }
  return (
    <Form form={form} aria-label={label}>
      <div>
        <MentionInput
          {...form.field('written')}
          label={label}
          placeholder="Comment, and @mention members"
          onKeyDown={onKeyDown}
          autoFocus={isEdit}
        />
        {(!isBlank || isEdit) && <Actions form={form} verb={submit} isEdit={isEdit} />}
      </div>
    </Form>
  )
}
