// Creates or edits a comment.

import { Button, Group } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { messageOf } from '../../../shared/api/errors.ts'
import { Form, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { MentionInput, useMentionables } from './mention-input.tsx'
import { toStored, toWritten } from './mention-text.ts'

interface CommentFormProps {
  /** Key of the draft: names the record, or the comment that is edited. */
  place: string
  label: string
  /** The text as the service stores it. */
  initial?: string
  submit: string
  onSave(text: string): Promise<unknown>
  /** Only when editing. Without it, the form is emptied instead. */
  onClose?: () => void
}

/** The state of the form, and how it is saved. */
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
      // Text typed during the request stays in the form, or in the draft of the next edit.
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
    // The text is kept as a draft.
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
