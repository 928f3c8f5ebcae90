// Constants of report dashboards without schemas, because the browser loads this at run time.

export const REPORT_DASHBOARDS_MAX = 100
export const TILES_MAX = 24
export const GRID_COLUMNS = 12
/** Maximum rows of the grid. All tiles end within them. */
export const GRID_ROWS_MAX = 500
export const TILE_WIDTH_MIN = 2
export const TILE_HEIGHT_MIN = 2
export const TILE_HEIGHT_MAX = 20
export const TILE_TITLE_MAX = 200
export const REPORT_DASHBOARD_NAME_MAX = 100
