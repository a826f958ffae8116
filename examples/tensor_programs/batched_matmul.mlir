// Three matrices times the same constant one.
func.func @main(%x: tensor<3x10x32xi8>) -> tensor<3x10x20xi8> {
  %w = arith.constant dense<"0xFEFE060906F8F9FB080609FBFD02FBFF02F90306F70705FDFEFDF700F8FF07FDF9FAFA0301FA05090706FFFB0402020304040208FDFDF9FBFEFEF7FE03050509FAF8FC07F7F804FF04FBFE02040109F80705FB070209F802FAFEFA04FBF702FBFB00F706F706F90904F9060807FAFB08030804FE0703060105FAF9FD0902FAFA02FAFDFA09F9F70704FEF90006F80904080003F8F7FF0605FEFF01060508F8FF07FC0505000909FC01070304080306FE00F7F9FB06FA02FF000800FBFA07FB05F8050609010802FBF708FDFFF90500F7FF07F70903FAFA010905F906070109F8FDFCF8FAF8FA080700FDFC08FBFEFDF907020904FFFB0009FEF9FFF8F70400060404F9FCFDF80404020207FBFCFEFEF802F90501FDFEFFFB0703FA06F70600FF00FDFB03F8030508F7FBFE06FA0004FD0701FAFEFE0609FAFC060204030804F703FB04FBF8000304FAFDFF0604FF07FA01FB0808FFF708FA0205FFFA00FBF90403F70609FB080306FE07F703F804F9FEF805F900F802F8F9F9F809000200F908060201FC0207FE01FEFEFD000008010009F706FFFEFBFEFCF9FF03FDFBFC08F90103FDFCF805FD03FA00FE00070501F9F9F9FEFA07050805F7FC050408FAFDF7FE00FD070000FF02FF00F8F7F705F8FDF9010500FAFEFAFDF7FDFBF705F708FE06FC08F7FEFBF9F7FB0109F90708FFFD03F708FF02FF08030307070805FFF9FC060903FBFD07F707F801FBFE0103F804090607F9F8FB0804080308FF09F8FDFD00030007F709FFFD080708FCFEF9FD06FCF80300F7FBFAF8090406FCFD0905FA03FEF9FB0107060607020409FE05FF03020309FE03FAFC02F9F7040906F805FAFE050207F901F8FF090701FB09FC040005FE0603F707FFFA00FFF709F90107FC"> : tensor<32x20xi8>
  %start = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x10x20xi32>
  %zeros = linalg.fill ins(%start : i32) outs(%empty : tensor<3x10x20xi32>) -> tensor<3x10x20xi32>
  %sums = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>,
                                           affine_map<(b, m, n, k) -> (b, m, n)>],
                          iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x10x32xi8>, tensor<32x20xi8>) outs(%zeros : tensor<3x10x20xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wide = arith.extsi %a : i8 to i32
    %factor = arith.extsi %b : i8 to i32
    %product = arith.muli %wide, %factor : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<3x10x20xi32>
  %low = arith.constant -128 : i32
  %high = arith.constant 127 : i32
  %bytes = tensor.empty() : tensor<3x10x20xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : tensor<3x10x20xi32>) outs(%bytes : tensor<3x10x20xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %a = arith.maxsi %sum, %low : i32
    %b = arith.minsi %a, %high : i32
    %c = arith.trunci %b : i32 to i8
    linalg.yield %c : i8
  } -> tensor<3x10x20xi8>
  return %y : tensor<3x10x20xi8>
}
