// A question or a form above the page. Escape closes it before any layer below it, and the focus returns to its opener.
import { Modal, type ModalProps } from '@mantine/core'
import { useAskBeforeClosing } from './ask-before-closing.tsx'
import { useLayer } from './layers.ts'
import { useReturnFocus } from './use-return-focus.ts'

export function DialogBox({ onClose, children, ...modal }: Omit<ModalProps, 'opened'>) {
  const { onInput, close, question } = useAskBeforeClosing(onClose)
  useReturnFocus()
  useLayer(close)
  return (
    <Modal {...modal} opened onClose={close} onInput={onInput} closeOnEscape={false}>
      {children}
      {question}
    </Modal>
  )
}
