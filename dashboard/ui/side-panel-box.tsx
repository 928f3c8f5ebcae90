// The panel at the right: create and quick look. Esc closes it.
import { CloseButton, Drawer, Portal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useAskBeforeClosing } from './ask-before-closing.tsx'
import { useLayer } from './layers.ts'
import classes from './side-panel.module.css'
import { useKeptFocus } from './use-kept-focus.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface SidePanelProps {
  title: ReactNode
  onClose(): void
  /** Closed only by its buttons: what it shows would be lost. */
  isHeld?: boolean
  /** Where there is room, the page is narrower and stays in use while it is open. Of the usual size. */
  isSideBySide?: boolean
  /** The page stays as bright as it is where the panel covers a part of it. */
  isClear?: boolean
  /** In pixels, as far as there is room. */
  size?: number
  children: ReactNode
}

/** Not modal: the page next to it stays in use. A separate component, since the portal draws it a moment later. */
function SideBySidePanel({
  title,
  onClose,
  onInput,
  children,
}: SidePanelProps & { onInput(event: FormEvent): void }) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (!panel.current?.contains(document.activeElement)) panel.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section
      ref={panel}
      role="dialog"
      data-side-by-side
      tabIndex={-1}
      aria-labelledby={id}
      className={classes.sideBySide}
      onInput={onInput}
    >
      <div className={classes.head}>
        <h2 id={id} className="fill breakable">
          {title}
        </h2>
        <CloseButton aria-label="Close" onClick={onClose} />
      </div>
      <div className={classes.body}>{children}</div>
    </section>
  )
}

export function SidePanelBox(props: SidePanelProps) {
  const { title, onClose, isHeld = false, isSideBySide = false, isClear = false, size = 480 } = props
  const { onInput, close, question } = useAskBeforeClosing(onClose)
  const setContent = useKeptFocus()
  const children = (
    <div ref={setContent} style={{ display: 'contents' }}>
      {props.children}
    </div>
  )
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  useReturnFocus()
  useLayer(() => isHeld || close())
  if (isSideBySide && isWide)
    return (
      <Portal>
        <SideBySidePanel {...props} onClose={close} onInput={onInput}>
          {children}
        </SideBySidePanel>
        {question}
      </Portal>
    )
  return (
    <Drawer
      opened
      onClose={close}
      onInput={onInput}
      closeOnClickOutside={!isHeld}
      closeOnEscape={false}
      position="right"
      size={size}
      title={title}
      padding="md"
      {...(isClear && { overlayProps: { backgroundOpacity: 0 } })}
    >
      {children}
      {question}
    </Drawer>
  )
}
