// The frame of an editor: a toolbar with undo and redo, notes, whether it is saved, and the button that saves it.
import { ActionIcon, Anchor, Button, CloseButton, Text, Tooltip } from '@mantine/core'
import { type LucideIcon, Redo2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { WithReason } from '../../ui/allowed.tsx'
import { held } from '../../ui/held.ts'
import { ApiError, hasCode, messageOf } from '../api/errors.ts'
import { keysText } from '../shortcuts/shortcuts.ts'
import classes from './editing-bar.module.css'

interface ToolProps {
  icon: LucideIcon
  name: string
  keys: readonly string[]
  isOff: boolean
  onClick(): void
}

function Tool({ icon: Icon, name, keys, isOff, onClick }: ToolProps) {
  return (
    <Tooltip label={`${name} (${keysText({ keys })})`}>
      <ActionIcon aria-label={name} {...held(isOff, onClick)}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

interface EditingBarProps {
  label: string
  history: { undo(): void; redo(): void; canUndo: boolean; canRedo: boolean }
  children: ReactNode
}

export function EditingBar({ label, history, children }: EditingBarProps) {
  const { undo, redo, canUndo, canRedo } = history
  return (
    <div className={classes.bar} role="toolbar" aria-label={label}>
      <Tool icon={Undo2} name="Undo" keys={['mod', 'Z']} isOff={!canUndo} onClick={undo} />
      <Tool icon={Redo2} name="Redo" keys={['mod', 'Shift', 'Z']} isOff={!canRedo} onClick={redo} />
      {children}
    </div>
  )
}

interface EditingNoteProps {
  tone?: 'danger'
  role?: 'alert' | 'status'
  close?: string
  onClose?: () => void
  children: ReactNode
}

/** A note below the bar, such as the result of a test. */
export function EditingNote({ tone, role, close = 'Dismiss', onClose, children }: EditingNoteProps) {
  return (
    <div className={classes.note} data-tone={tone}>
      <div role={role}>{children}</div>
      {onClose && <CloseButton size="sm" aria-label={close} onClick={onClose} />}
    </div>
  )
}

interface SaveRefusalProps {
  saving: { error: unknown; forget(): void }
  /** Shown if the definition has problems. */
  children: ReactNode
}

/** Why saving failed. A name that is taken is reported at the name. */
export function SaveRefusal({ saving: { error, forget }, children }: SaveRefusalProps) {
  if (error === undefined || hasCode(error, 'name_taken')) return null
  return (
    <EditingNote tone="danger" role="alert" onClose={forget}>
      {error instanceof ApiError && error.problems.length > 0 ? children : messageOf(error)}
    </EditingNote>
  )
}

/** Shown when the draft was restored after a reload. */
export function RestoredNote({ onDiscard }: { onDiscard(): void }) {
  return (
    <EditingNote role="status">
      Your unsaved changes were restored.{' '}
      <Anchor component="button" type="button" inherit onClick={onDiscard}>
        Discard
      </Anchor>
    </EditingNote>
  )
}

export function SaveState({ isChanged }: { isChanged: boolean }) {
  return (
    <Text span c="dimmed" visibleFrom="sm" role="status">
      {isChanged ? 'Not saved yet' : ''}
    </Text>
  )
}

interface SaveButtonProps {
  isBusy: boolean
  isOff: boolean
  /** Why saving is not allowed. */
  reason?: string | undefined
  onSave(): void
}

/** It keeps the focus while there is nothing to save. */
export function SaveButton({ isBusy, isOff, reason, onSave }: SaveButtonProps) {
  const save = (
    <Button loading={isBusy} {...held(isOff, onSave)}>
      Save
    </Button>
  )
  if (reason !== undefined) return <WithReason reason={reason}>{save}</WithReason>
  return <Tooltip label={`Save (${keysText({ keys: ['mod', 'S'] })})`}>{save}</Tooltip>
}
