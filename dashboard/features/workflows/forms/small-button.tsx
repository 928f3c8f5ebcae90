import { ActionIcon } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'

interface SmallButtonProps {
  icon: LucideIcon
  label: string
  disabled?: boolean
  /** Beside a field under its label, or beside one without. */
  mt?: 4 | 24
  onClick(): void
}

/** An icon whose name is its tooltip. */
export const SmallButton = ({ icon: Icon, label, ...button }: SmallButtonProps) => (
  <ActionIcon aria-label={label} title={label} {...button}>
    <Icon size={14} aria-hidden />
  </ActionIcon>
)
