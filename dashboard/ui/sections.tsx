// A page of the settings: one sentence about its purpose, then its sections, with dangerous actions last.
import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Page } from './page.tsx'
import classes from './sections.module.css'

interface SettingsPageProps {
  title: string
  heading?: ReactNode
  /** One sentence. */
  lead?: ReactNode
  actions?: ReactNode
  /** Full width, for a log with an open entry next to it; all other pages have one width. */
  isFull?: boolean
  children: ReactNode
}

export function SettingsPage({ lead, isFull = false, children, ...page }: SettingsPageProps) {
  return (
    <Page {...page} width="full">
      <div className={classes.page} data-full={isFull || undefined}>
        {lead && <p className={`muted ${classes.lead}`}>{lead}</p>}
        {children}
      </div>
    </Page>
  )
}

interface SectionProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Section({ title, description, actions, children }: SectionProps) {
  return (
    <section className="stack shrink gap-12" aria-label={title}>
      <Group component="header" justify="space-between" align="flex-end" wrap="nowrap" gap={16}>
        <div>
          <h2>{title}</h2>
          {description && <p className="muted small">{description}</p>}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  )
}

interface DangerZoneProps {
  /** No action in it loses data, so it is not red. */
  isHarmless?: boolean
  children: ReactNode
}

/** At the bottom, with a red outline. Each row names a consequence in numbers and has a button. */
export function DangerZone({ isHarmless = false, children }: DangerZoneProps) {
  return (
    <section className={classes.danger} data-harmless={isHarmless || undefined} aria-label="Danger zone">
      {children}
    </section>
  )
}

export function DangerRow({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action: ReactNode
}) {
  return (
    <div className={classes.dangerRow}>
      <div>
        <h3 className="small">{title}</h3>
        <div className="muted small">{children}</div>
      </div>
      {action}
    </div>
  )
}

interface DangerActionProps {
  title?: string
  /** The text of the button. */
  verb: string
  isDisabled?: boolean
  /** The consequence. */
  children: ReactNode
  /** Renders the dialog that asks for confirmation. */
  ask(close: () => void): ReactNode
}

/** A row whose button asks before it acts. */
export function DangerAction({
  title = 'Delete',
  verb,
  isDisabled = false,
  children,
  ask,
}: DangerActionProps) {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <Button
      variant="default"
      className={classes.dangerButton}
      disabled={isDisabled}
      onClick={() => setAsked(true)}
    >
      {verb}
    </Button>
  )
  return (
    <>
      <DangerRow title={title} action={button}>
        {children}
      </DangerRow>
      {isAsked && ask(() => setAsked(false))}
    </>
  )
}
