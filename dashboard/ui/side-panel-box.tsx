// The panel on the right, for creating a record and for a quick look. Escape closes it.
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
  /** Only the buttons of the panel close it: its content would be lost. */
  isHeld?: boolean
  /**
   * If there is room, the page becomes narrower and stays usable while the panel is open. The panel has the default
   * size.
   */
  isSideBySide?: boolean
  /** The page is not dimmed where the panel covers a part of it. */
  isClear?: boolean
  /** Width in pixels, reduced if there is too little room. */
  size?: number
  children: ReactNode
}

/** Not modal: the page next to it stays usable. A separate component, because the portal renders it one step later. */
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
      <div className={classes.body}>
        <div>{children}</div>
      </div>
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
