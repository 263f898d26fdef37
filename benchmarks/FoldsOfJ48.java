import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Cross-validates J48 on given folds: for each ARFF file (the class is its last column) a file of the same name
 * with ".folds" added has the fold of each row. Prints a line per fold: the number of the file, the fold, nodes
 * and leaves of the tree, and the class codes it gives to the rows of the fold.
 */
public class FoldsOfJ48 {
    public static void main(String[] files) throws Exception {
        PrintStream out = System.out;
        for (int f = 0; f < files.length; f++) {
            Instances all = DataSource.read(files[f]);
            all.setClassIndex(all.numAttributes() - 1);
            List<String> fold = Files.readAllLines(Path.of(files[f] + ".folds"));
            for (String tested : fold.stream().distinct().sorted().toList()) {
                Instances train = new Instances(all, all.size());
                for (int i = 0; i < all.size(); i++) {
                    if (!fold.get(i).equals(tested)) {
                        train.add(all.get(i));
                    }
                }
                J48 tree = new J48();
                tree.buildClassifier(train);
                StringJoiner line = new StringJoiner(" ");
                line.add(f + " " + tested + " " + (int) tree.measureTreeSize() + " " + (int) tree.measureNumLeaves());
                for (int i = 0; i < all.size(); i++) {
                    if (fold.get(i).equals(tested)) {
                        line.add(Integer.toString((int) tree.classifyInstance(all.get(i))));
                    }
                }
                out.println(line);
            }
        }
    }
}
