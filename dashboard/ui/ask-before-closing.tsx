// Asks the user before closing a dialog or panel loses typed text.
import { Button, Group, Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useLayer } from './layers.ts'
import { useReturnFocus } from './use-return-focus.ts'

const FIELD = 'input:not([type=checkbox], [type=radio], [aria-haspopup]), textarea'

type Field = Element & { value?: string }

/**
 * Whether closing loses the text of the field. After a form was saved, its fields are no longer in the document.
 * A form that keeps a draft has `data-asks="no"`. A part that the draft does not keep has `data-asks="yes"`.
 */
const isLost = (field: Field) =>
  field.isConnected &&
  field.value !== '' &&
  field.closest('form') !== null &&
  field.closest('[data-asks]')?.getAttribute('data-asks') !== 'no'

function Question({ onStay, onDiscard }: { onStay(): void; onDiscard(): void }) {
  useReturnFocus()
  useLayer(onStay)
  return (
    <Modal opened onClose={onStay} closeOnEscape={false} title="Discard what you entered?" size="sm">
      <p>It is neither saved nor kept as a draft.</p>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onStay} data-autofocus>
          Keep editing
        </Button>
        <Button color="red.8" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Modal>
  )
}

interface AskBeforeClosing {
  /** The input handler for the element around the form. */
  onInput(event: FormEvent): void
  /** Replaces `onClose`: asks first if text would be lost. */
  close(): void
  question: ReactNode
}

export function useAskBeforeClosing(onClose: () => void): AskBeforeClosing {
  const typed = useRef(new Set<Field>())
  const [isAsking, setAsking] = useState(false)
  const stay = () => setAsking(false)
  const discard = () => {
    stay()
    onClose()
  }
  return {
    onInput: ({ target }) => {
      if (target instanceof Element && target.matches(FIELD)) typed.current.add(target)
    },
    close: () => {
      if ([...typed.current].some(isLost)) setAsking(true)
      else onClose()
    },
    question: isAsking && <Question onStay={stay} onDiscard={discard} />,
  }
}
