// The menu of a tile. All actions, including moving, are possible by keyboard.
import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ExternalLink,
  FoldHorizontal,
  FoldVertical,
  type LucideIcon,
  PencilLine,
  Play,
  StretchHorizontal,
  StretchVertical,
  Trash2,
} from 'lucide-react'
import { useOrg } from '../../../shared/use-organization.ts'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import type { ReportTile } from '../api/report-dashboards.ts'
import { reportPaths } from '../paths.ts'
import { isSameLayout, STEPS, type Step, stepTile, type Tiles } from './layout.ts'

const STEP_WORDS: Readonly<Record<Step, readonly [string, LucideIcon]>> = {
  left: ['Move left', ArrowLeft],
  right: ['Move right', ArrowRight],
  up: ['Move up', ArrowUp],
  down: ['Move down', ArrowDown],
  wider: ['Wider', StretchHorizontal],
  narrower: ['Narrower', FoldHorizontal],
  taller: ['Taller', StretchVertical],
  shorter: ['Shorter', FoldVertical],
}

export interface TileActions {
  onRun(): void
  onStep(step: Step): void
  onRename(): void
  onRemove(): void
}

interface TileMenuProps extends TileActions {
  tile: ReportTile
  tiles: Tiles
  /** Name of the tile. */
  name: string
  mayChange: boolean
  /** Whether tiles are below each other, so that they cannot be moved. */
  isOneColumn: boolean
}

function Steps({ tile, tiles, onStep }: Pick<TileMenuProps, 'tile' | 'tiles' | 'onStep'>) {
  return STEPS.map((step) => {
    const [words, Icon] = STEP_WORDS[step]
    return (
      <Menu.Item
        key={step}
        leftSection={<Icon size={14} aria-hidden />}
        disabled={isSameLayout(tiles, stepTile(tiles, tile.id, step))}
        // Stays open, because a single step is rarely enough.
        closeMenuOnClick={false}
        onClick={() => onStep(step)}
      >
        {words}
      </Menu.Item>
    )
  })
}

function Changes(props: TileMenuProps) {
  const { tile, tiles, isOneColumn, onStep, onRename, onRemove } = props
  return (
    <>
      <Menu.Item leftSection={<PencilLine size={14} aria-hidden />} onClick={onRename}>
        Change title
      </Menu.Item>
      {!isOneColumn && (
        <>
          <Menu.Divider />
          <Steps {...{ tile, tiles, onStep }} />
        </>
      )}
      <Menu.Divider />
      <Menu.Item color="var(--danger)" leftSection={<Trash2 size={14} aria-hidden />} onClick={onRemove}>
        Remove from dashboard
      </Menu.Item>
    </>
  )
}

export function TileMenu(props: TileMenuProps) {
  const { tile, name, mayChange, onRun } = props
  return (
    <MoreMenu label={`Actions for ${name}`} button={{ size: 'sm' }}>
      <Menu.Item
        component={Link}
        to={reportPaths.report(useOrg(), tile.reportId)}
        leftSection={<ExternalLink size={14} aria-hidden />}
      >
        Open report
      </Menu.Item>
      <Menu.Item leftSection={<Play size={14} aria-hidden />} onClick={onRun}>
        Run
      </Menu.Item>
      {mayChange && <Changes {...props} />}
    </MoreMenu>
  )
}
