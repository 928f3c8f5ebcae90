// Placeholders for content: an empty list, an error, or missing permission.
import { Box, Button, Stack } from '@mantine/core'
import { CloudOff, Lock, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, messageOf } from './api/errors.ts'

interface StateProps {
  icon: LucideIcon
  title: string
  children?: ReactNode
  /** A button or link to continue. */
  action?: ReactNode
  /** The state fills the whole page, so its title is the heading of the page. */
  isPage?: boolean
}

/** An empty list with a link to the next step. */
export function EmptyState({ icon: Icon, title, children, action, isPage = false }: StateProps) {
  const Title = isPage ? 'h1' : 'h2'
  return (
    <Stack align="center" gap={8} px={24} py={64} ta="center">
      <Icon className="muted" size={28} strokeWidth={1.5} aria-hidden />
      <Title>{title}</Title>
      {children && (
        <Box className="muted small" maw="44ch" mb={8}>
          {children}
        </Box>
      )}
      {action}
    </Stack>
  )
}

function look(error: unknown): Pick<StateProps, 'icon' | 'title'> {
  const { status, code } = error instanceof ApiError ? error : {}
  if (code === 'offline') return { icon: CloudOff, title: 'You are offline' }
  if (status === 0) return { icon: CloudOff, title: 'The server cannot be reached' }
  if (status === 403) return { icon: Lock, title: 'You do not have access' }
  if (status === 404) return { icon: TriangleAlert, title: 'Not found' }
  return { icon: TriangleAlert, title: 'This could not be loaded' }
}

interface ErrorStateProps extends Pick<StateProps, 'action' | 'isPage'> {
  error: unknown
  onRetry?: () => void
}

/** An error with a button to retry or another way to continue. */
export function ErrorState({ error, onRetry, action, isPage }: ErrorStateProps) {
  const again = onRetry && (
    <Button variant="default" onClick={onRetry}>
      Try again
    </Button>
  )
  const { icon, title } = look(error)
  return (
    <div role="alert">
      <EmptyState icon={icon} title={title} isPage={isPage ?? false} action={action ?? again}>
        {messageOf(error).replace(`${title}. `, '')}
      </EmptyState>
    </div>
  )
}
