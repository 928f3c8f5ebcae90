// A delivery next to the log, or above it in a narrow window.
import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { deliveryQuery } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'
import classes from './delivery.module.css'
import { DeliveryView } from './delivery-view.tsx'

interface DeliveryPaneProps {
  id: string
  isSideBySide: boolean
  onClose(): void
  /** undefined: there is no next delivery. */
  onNext: (() => void) | undefined
  onPrevious: (() => void) | undefined
}

function Step({ label, onClick, children }: { label: string; onClick?: () => void; children: ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} data-disabled={!onClick || undefined} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

function Steps({ onNext, onPrevious }: Pick<DeliveryPaneProps, 'onNext' | 'onPrevious'>) {
  return (
    <>
      <Step label="Previous delivery (K)" onClick={onPrevious}>
        <ChevronUp size={16} aria-hidden />
      </Step>
      <Step label="Next delivery (J)" onClick={onNext}>
        <ChevronDown size={16} aria-hidden />
      </Step>
    </>
  )
}

function useTitle(id: string): string {
  const { data } = useQuery({ ...deliveryQuery(useSpace(), id), enabled: false })
  return data?.eventType ?? 'Delivery'
}

const lineOf = (id: string) => document.querySelector<HTMLElement>(`[data-delivery="${CSS.escape(id)}"]`)

/** Focuses the delivery when it opens, and its line in the log when it closes. Keeps the line visible. */
function useFocusBetween(id: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(id)
  useEffect(() => {
    last.current = id
    lineOf(id)?.scrollIntoView({ block: 'nearest' })
  }, [id])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) lineOf(last.current)?.focus({ preventScroll: true })
      })
    }
  }, [])
  return heading
}

function SideBySide({ id, onClose, ...steps }: Omit<DeliveryPaneProps, 'isSideBySide'>) {
  const title = useTitle(id)
  const heading = useFocusBetween(id)
  useShortcuts([['Escape', onClose]])
  return (
    <section className={classes.pane} aria-label="Delivery">
      <header className={classes.head}>
        <h2 className="truncate fill mono" style={{ outline: 'none' }} tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <Steps {...steps} />
        <Tooltip label="Close (Esc)">
          <ActionIcon aria-label="Close (Esc)" onClick={onClose}>
            <X size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </header>
      <DeliveryView key={id} id={id} />
    </section>
  )
}

function Above({ id, onClose, ...steps }: Omit<DeliveryPaneProps, 'isSideBySide'>) {
  const title = useTitle(id)
  return (
    <SidePanel title={title} onClose={onClose} size={760}>
      <DeliveryView key={id} id={id} steps={<Steps {...steps} />} />
    </SidePanel>
  )
}

export const DeliveryPane = ({ isSideBySide, ...pane }: DeliveryPaneProps) =>
  isSideBySide ? <SideBySide {...pane} /> : <Above {...pane} />
