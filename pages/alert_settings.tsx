import { AlertSettingsScreen } from '../components/admin/AlertSettingsScreen';
import { NoAlertSettings } from '../components/admin/NoAlertSettings';
import { screenPage } from '../components/ui/screenPage';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Alert settings', 'readAlerts', AlertSettingsScreen, NoAlertSettings);
